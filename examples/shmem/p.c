/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes single values to PE 0. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  double* const table = shmem_calloc((size_t)pes, sizeof *table);
  shmem_double_p(&table[me], 0.5 + (double)me * me, 0);
  shmem_barrier_all();
  for (int pe = 0; me == 0 && pe < pes; ++pe) {
    printf("%g ", table[pe]);
    if (table[pe] != 0.5 + (double)pe * pe) shmem_global_exit(1);
  }
  if (me == 0) printf("\n");
  shmem_free(table);
  shmem_finalize();
  return 0;
}
