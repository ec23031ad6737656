/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed histogram. */
#include <shmem.h>
#include <stdio.h>

enum { bins = 4, finds = 120 };

static int histogram[bins];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  for (int i = 0; i < finds; ++i) {
    const int kind = (i * 7 + me) % (bins * pes);
    shmem_int_atomic_add(&histogram[kind % bins], 2, kind / bins);
  }
  shmem_barrier_all();

  static int mine, all;
  for (int i = 0; i < bins; ++i) mine += histogram[i];
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  printf("PE %d holds %d of %d\n", me, mine, all);
  if (all != 2 * finds * pes) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
