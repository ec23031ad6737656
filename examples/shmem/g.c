/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads single values from all PEs. */
#include <shmem.h>
#include <stdio.h>

static int height;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  height = 150 + (me * 7 + 3) % 40;
  shmem_barrier_all();

  int tallest = 0;
  for (int pe = 1; pe < pes; ++pe) {
    if (shmem_int_g(&height, pe) > shmem_int_g(&height, tallest)) tallest = pe;
  }
  if (me == tallest) printf("PE %d is the tallest: %d cm\n", me, height);
  for (int pe = 0; pe < pes; ++pe) {
    if (150 + (pe * 7 + 3) % 40 > 150 + (tallest * 7 + 3) % 40) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
