/* SPDX-License-Identifier: BSD-3-Clause */
/* Deprecated names: start_pes, shmalloc, shmem_wait, cache control. */
#include <mpp/shmem.h>

#include <stdio.h>

static long flag;

int main(void) {
  start_pes(0); /* argument ignored; main's end finalises */
  const int me = _my_pe();
  const int pes = _num_pes();
  short* array = shmalloc(8 * sizeof *array);
  shmem_set_cache_inv();
  for (short i = 0; i < 8; ++i) shmem_short_p(&array[i], (short)(me + i), (me + 1) % pes);
  shmem_fence();
  shmem_long_p(&flag, 1, (me + 1) % pes);
  shmem_wait(&flag, 0); /* until non-zero */
  shmem_udcflush();
  array = shrealloc(array, 16 * sizeof *array);
  const int previous = (me + pes - 1) % pes;
  for (int i = 0; i < 8; ++i) {
    if (array[i] != previous + i) {
      fprintf(stderr, "PE %d: element %d is %d\n", me, i, array[i]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("%d PEs, and they still understand\n", pes);
  shfree(array);
  return 0;
}
