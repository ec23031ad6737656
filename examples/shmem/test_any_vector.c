/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls for any variable that has reached its own value. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  unsigned* const height = shmem_calloc((size_t)pes, sizeof *height);
  for (unsigned i = 1; i <= 4 + (unsigned)me; ++i) shmem_uint_p(&height[me], i, 0);

  if (me == 0) {
    unsigned* const ripe = calloc((size_t)pes, sizeof *ripe);
    int* const harvested = calloc((size_t)pes, sizeof *harvested);
    for (int pe = 0; pe < pes; ++pe) ripe[pe] = 4 + (unsigned)pe;
    unsigned long straw = 0;
    for (int left = pes; left > 0;) {
      const size_t field =
          shmem_uint_test_any_vector(height, (size_t)pes, harvested, SHMEM_CMP_EQ, ripe);
      if (field == SIZE_MAX) continue;
      harvested[field] = 1;
      straw += height[field];
      --left;
    }
    printf("%lu of straw\n", straw);
    if (straw != 4UL * (unsigned long)pes + (unsigned long)pes * (unsigned long)(pes - 1) / 2) {
      shmem_global_exit(1);
    }
    free(harvested);
    free(ripe);
  }
  shmem_free(height);
  shmem_finalize();
  return 0;
}
