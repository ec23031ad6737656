/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates 24 seats: clearing a set bit takes the seat. */
#include <shmem.h>
#include <stdio.h>

enum { seats = 24 };

static uint32_t free_seats = (1U << seats) - 1;
static int taken, all_taken;

int main(void) {
  shmem_init();
  for (int seat = 0; seat < seats; ++seat) {
    const uint32_t bit = UINT32_C(1) << seat;
    if ((shmem_uint32_atomic_fetch_and(&free_seats, ~bit, 0) & bit) != 0) ++taken;
  }
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_taken, &taken, 1);
  printf("PE %d has %d seats\n", shmem_my_pe(), taken);
  if (all_taken != seats || shmem_uint32_g(&free_seats, 0) != 0) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
