/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges two numbers between every pair of PEs. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int64_t* const source = shmem_malloc(2 * (size_t)pes * sizeof *source);
  int64_t* const dest = shmem_malloc(2 * (size_t)pes * sizeof *dest);
  for (int pe = 0; pe < pes; ++pe) {
    source[2 * pe] = 1000 * me + pe;
    source[2 * pe + 1] = -source[2 * pe];
  }
  shmem_team_sync(SHMEM_TEAM_WORLD);
  shmem_int64_alltoall(SHMEM_TEAM_WORLD, dest, source, 2);
  for (int pe = 0; pe < pes; ++pe) {
    if (dest[2 * pe] != 1000 * pe + me || dest[2 * pe + 1] != -dest[2 * pe]) {
      fprintf(stderr, "PE %d: from PE %d: %d\n", me, pe, (int)dest[2 * pe]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("all %d have exchanged\n", pes);
  shmem_free(dest);
  shmem_free(source);
  shmem_finalize();
  return 0;
}
