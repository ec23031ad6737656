/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits until each variable has its own value. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const puzzle = shmem_calloc((size_t)pes, sizeof *puzzle);
  int* const picture = calloc((size_t)pes, sizeof *picture);
  for (int pe = 0; pe < pes; ++pe) picture[pe] = 'A' + pe % 26;

  for (int pe = 0; pe < pes; ++pe) shmem_int_p(&puzzle[me], 'A' + me % 26, pe);
  shmem_int_wait_until_all_vector(puzzle, (size_t)pes, NULL, SHMEM_CMP_EQ, picture);
  for (int pe = 0; pe < pes; ++pe) {
    if (me == 0) printf("%c", puzzle[pe]);
    if (puzzle[pe] != picture[pe]) shmem_global_exit(1);
  }
  if (me == 0) printf("\n");
  free(picture);
  shmem_barrier_all();
  shmem_free(puzzle);
  shmem_finalize();
  return 0;
}
