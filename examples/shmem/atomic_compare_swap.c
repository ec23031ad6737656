/* SPDX-License-Identifier: BSD-3-Clause */
/* The first PE to claim a variable wins; others read the winner. */
#include <shmem.h>
#include <stdio.h>

enum { nobody = -1 };

static int winner = nobody;
static int claims;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int before = shmem_int_atomic_compare_swap(&winner, nobody, me, 0);
  const int is_mine = before == nobody;
  if (is_mine) shmem_int_atomic_inc(&claims, 0);
  shmem_barrier_all();

  const int first = shmem_int_g(&winner, 0);
  if (is_mine) printf("PE %d has won\n", me);
  if (first != (is_mine ? me : before) || shmem_int_g(&claims, 0) != 1) {
    fprintf(stderr, "PE %d: saw %d first, then %d\n", me, before, first);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
