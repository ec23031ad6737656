/* SPDX-License-Identifier: BSD-3-Clause */
/* Block partition whose sizes differ by at most one. */
#include <shmem.h>
#include <stdio.h>

enum { loaves = 100 };

static int slice;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  slice = loaves / pes + (me < loaves % pes ? 1 : 0);
  shmem_barrier_all();

  int all = 0;
  for (int pe = 0; pe < pes; ++pe) {
    const int its = shmem_int_g(&slice, pe);
    if (me == 0) printf("PE %d bakes %d loaves\n", pe, its);
    all += its;
  }
  if (all != loaves) {
    fprintf(stderr, "PE %d: %d loaves in all\n", me, all);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
