/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an array from the neighbour. */
#include <shmem.h>
#include <stdio.h>

enum { count = 8 };

static float row[count];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < count; ++i) row[i] = (float)(10 * me + i);
  shmem_barrier_all();

  float copy[count];
  shmem_float_get(copy, row, count, next);
  printf("PE %d took %g ... %g from PE %d\n", me, (double)copy[0], (double)copy[count - 1], next);
  for (int i = 0; i < count; ++i) {
    if (copy[i] != (float)(10 * next + i)) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
