/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls a variable while working. */
#include <shmem.h>
#include <stdio.h>

static int clock_rings;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int next = (me + 1) % shmem_n_pes();
  if (shmem_int_test(&clock_rings, SHMEM_CMP_EQ, 2)) shmem_global_exit(1);
  shmem_int_p(&clock_rings, 1, next);
  long loaves = 0;
  while (!shmem_int_test(&clock_rings, SHMEM_CMP_NE, 0)) ++loaves;
  printf("PE %d baked %ld loaves\n", me, loaves);
  if (clock_rings != 1) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
