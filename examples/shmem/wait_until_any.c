/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes values in order of arrival. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  long* const boxes = shmem_calloc((size_t)pes, sizeof *boxes);
  int* const status = shmem_calloc((size_t)pes, sizeof *status);
  for (int pe = 0; pe < pes; ++pe) shmem_long_p(&boxes[me], 10L * (me + 1), pe);

  long sum = 0;
  for (int i = 0; i < pes; ++i) {
    const size_t which = shmem_long_wait_until_any(boxes, (size_t)pes, status, SHMEM_CMP_NE, 0);
    status[which] = 1; /* excludes it from now on */
    sum += boxes[which];
  }
  printf("PE %d got %ld in all\n", me, sum);
  if (sum != 5L * pes * (pes + 1) ||
      shmem_long_wait_until_any(boxes, (size_t)pes, status, SHMEM_CMP_NE, 0) != SIZE_MAX) {
    shmem_global_exit(1);
  }
  shmem_free(status);
  shmem_free(boxes);
  shmem_finalize();
  return 0;
}
