/* SPDX-License-Identifier: BSD-3-Clause */
/* Swaps values on all PEs at once; each is received once. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64 };

static long gift;
static long taken, all_taken, given;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  long mine[most];
  for (int pe = 0; pe < pes; ++pe) {
    shmem_long_atomic_swap_nbi(&mine[pe], &gift, 1L << me, pe);
  }
  shmem_quiet();
  for (int pe = 0; pe < pes; ++pe) taken += mine[pe];
  shmem_barrier_all();
  taken += gift;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all_taken, &taken, 1);
  for (int pe = 0; pe < pes; ++pe) given += pes * (1L << pe);
  if (me == 0) printf("%d gifts were given\n", pes * pes);
  if (all_taken != given) {
    fprintf(stderr, "PE %d: %ld instead of %ld\n", me, all_taken, given);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
