/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes all arrivals at once until every PE's value is received. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const size_t pes = (size_t)shmem_n_pes();
  long* const boxes = shmem_calloc(pes, sizeof *boxes);
  int* const status = calloc(pes, sizeof *status);
  size_t* const which = calloc(pes, sizeof *which);
  for (int pe = 0; pe < (int)pes; ++pe) shmem_long_p(&boxes[me], me + 1, pe);

  long sum = 0;
  size_t taken = 0, rounds = 0;
  for (; taken < pes; ++rounds) {
    const size_t found = shmem_long_wait_until_some(boxes, pes, which, status, SHMEM_CMP_GT, 0);
    for (size_t i = 0; i < found; ++i) {
      sum += boxes[which[i]];
      status[which[i]] = 1;
    }
    taken += found;
  }
  printf("PE %d got %ld in %zu rounds\n", me, sum, rounds);
  if (taken != pes || sum != (long)(pes * (pes + 1) / 2)) shmem_global_exit(1);
  free(which);
  free(status);
  shmem_free(boxes);
  shmem_finalize();
  return 0;
}
