/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlaps puts to all PEs with work; the source must not change before shmem_quiet. */
#include <shmem.h>
#include <stdio.h>

enum { count = 1000 };

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const boxes = shmem_malloc((size_t)pes * count * sizeof *boxes);
  int mine[count];
  for (int i = 0; i < count; ++i) mine[i] = me + i;
  shmem_barrier_all();

  for (int pe = 0; pe < pes; ++pe) shmem_int_put_nbi(boxes + me * count, mine, count, pe);
  long something_else = 0;
  for (int i = 0; i < 1000; ++i) something_else += i;
  shmem_quiet();
  for (int i = 0; i < count; ++i) mine[i] = -1;

  shmem_barrier_all();
  for (int i = 0; i < pes * count; ++i) {
    if (boxes[i] != i / count + i % count) {
      fprintf(stderr, "PE %d: from PE %d came %d\n", me, i / count, boxes[i]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("%d puts on each PE, and meanwhile %ld\n", pes, something_else);
  shmem_free(boxes);
  shmem_finalize();
  return 0;
}
