/* SPDX-License-Identifier: BSD-3-Clause */
/* Concatenates arrays of equal length on all PEs. */
#include <shmem.h>
#include <stdio.h>

enum { games = 3 };

static int mine[games];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const all = shmem_malloc((size_t)pes * sizeof mine);
  for (int i = 0; i < games; ++i) mine[i] = 10 * me + i;
  shmem_int_fcollect(SHMEM_TEAM_WORLD, all, mine, games);
  for (int i = 0; i < games * pes; ++i) {
    if (me == 0) printf("%d ", all[i]);
    if (all[i] != i / games * 10 + i % games) shmem_global_exit(1);
  }
  if (me == 0) printf("\n");
  shmem_free(all);
  shmem_finalize();
  return 0;
}
