/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes all arrivals so far, if any. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const size_t pes = (size_t)shmem_n_pes();
  int* const boxes = shmem_calloc(pes, sizeof *boxes);
  int* const taken = calloc(pes, sizeof *taken);
  size_t* const which = calloc(pes, sizeof *which);
  for (int pe = 0; pe < (int)pes; ++pe) shmem_int_p(&boxes[me], me + 1, pe);

  long sum = 0, own_work = 0;
  for (size_t left = pes; left > 0;) {
    const size_t found = shmem_int_test_some(boxes, pes, which, taken, SHMEM_CMP_NE, 0);
    for (size_t i = 0; i < found; ++i) {
      if (taken[which[i]]) shmem_global_exit(1);
      taken[which[i]] = 1;
      sum += boxes[which[i]];
    }
    left -= found;
    ++own_work;
  }
  printf("PE %d: %ld, in %ld looks\n", me, sum, own_work);
  if (sum != (long)(pes * (pes + 1) / 2)) shmem_global_exit(1);
  free(which);
  free(taken);
  shmem_barrier_all();
  shmem_free(boxes);
  shmem_finalize();
  return 0;
}
