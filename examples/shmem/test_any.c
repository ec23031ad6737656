/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes any arrival; SIZE_MAX: no arrival. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const boxes = shmem_calloc((size_t)pes, sizeof *boxes);
  int* const taken = calloc((size_t)pes, sizeof *taken);
  for (int pe = 0; pe < pes; ++pe) shmem_int_p(&boxes[me], 5 * me + 1, pe);

  long sheep = 0, sum = 0;
  for (int left = pes; left > 0;) {
    const size_t which = shmem_int_test_any(boxes, (size_t)pes, taken, SHMEM_CMP_NE, 0);
    if (which == SIZE_MAX) {
      ++sheep;
      continue;
    }
    if (taken[which] || boxes[which] != 5 * (int)which + 1) shmem_global_exit(1);
    taken[which] = 1;
    sum += boxes[which];
    --left;
  }
  printf("PE %d: %ld, and %ld sheep\n", me, sum, sheep);
  if (sum != 5L * pes * (pes - 1) / 2 + pes) shmem_global_exit(1);
  free(taken);
  shmem_barrier_all();
  shmem_free(boxes);
  shmem_finalize();
  return 0;
}
