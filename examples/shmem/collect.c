/* SPDX-License-Identifier: BSD-3-Clause */
/* Concatenates arrays of different lengths in PE order. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const part = shmem_malloc((size_t)pes * sizeof *part);
  int* const whole = shmem_calloc((size_t)pes * (size_t)(pes + 1) / 2, sizeof *whole);
  for (int i = 0; i <= me; ++i) part[i] = me;
  shmem_int_collect(SHMEM_TEAM_WORLD, whole, part, (size_t)me + 1);
  for (int pe = 0, i = 0; pe < pes; ++pe) {
    for (int line = 0; line <= pe; ++line, ++i) {
      if (me == 0) printf("%d ", whole[i]);
      if (whole[i] != pe) {
        fprintf(stderr, "PE %d: element %d is %d\n", me, i, whole[i]);
        shmem_global_exit(1);
      }
    }
  }
  if (me == 0) printf("\n");
  shmem_free(whole);
  shmem_free(part);
  shmem_finalize();
  return 0;
}
