/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs toggle a switch an even number of times: on as often as off. */
#include <shmem.h>
#include <stdio.h>

enum { presses = 20 };

static uint64_t lamp;
static int was_on, all_on;

int main(void) {
  shmem_init();
  for (int i = 0; i < presses; ++i) {
    was_on += (int)(shmem_uint64_atomic_fetch_xor(&lamp, 1, 0) & 1);
  }
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_on, &was_on, 1);
  printf("PE %d switched the lamp off %d times\n", shmem_my_pe(), was_on);
  if (all_on != presses * shmem_n_pes() / 2 || shmem_uint64_g(&lamp, 0) != 0) {
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
