/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls until each variable has its own value. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const wheels = shmem_calloc((size_t)pes, sizeof *wheels);
  int* const code = calloc((size_t)pes, sizeof *code);
  for (int pe = 0; pe < pes; ++pe) code[pe] = 3 + pe % 6;

  for (int step = 1; step <= code[me]; ++step) {
    for (int pe = 0; pe < pes; ++pe) shmem_int_p(&wheels[me], step, pe);
  }
  while (!shmem_int_test_all_vector(wheels, (size_t)pes, NULL, SHMEM_CMP_EQ, code)) {
  }
  for (int pe = 0; pe < pes; ++pe) {
    if (wheels[pe] != code[pe]) shmem_global_exit(1);
  }
  printf("PE %d is in\n", me);
  free(code);
  shmem_barrier_all();
  shmem_free(wheels);
  shmem_finalize();
  return 0;
}
