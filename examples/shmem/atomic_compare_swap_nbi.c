/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE claims all flags at once. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64 };

static int flag;
static int islands, all_islands;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  int before[most];
  for (int pe = 0; pe < pes; ++pe) {
    shmem_int_atomic_compare_swap_nbi(&before[pe], &flag, 0, me + 1, pe);
  }
  shmem_quiet();
  for (int pe = 0; pe < pes; ++pe) {
    if (before[pe] == 0) ++islands;
    if (shmem_int_g(&flag, pe) != (before[pe] == 0 ? me + 1 : before[pe])) shmem_global_exit(1);
  }
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_islands, &islands, 1);
  printf("PE %d rules %d islands\n", me, islands);
  if (all_islands != pes) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
