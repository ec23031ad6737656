/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective allocation, growth and release of a symmetric array, with equal arguments. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes, previous = (me + pes - 1) % pes;

  int* notes = shmem_malloc(10 * sizeof *notes);
  for (int i = 0; i < 10; ++i) shmem_int_p(&notes[i], 10 * me + i, next);
  shmem_barrier_all();
  notes = shmem_realloc(notes, 1000 * sizeof *notes); /* may move */
  for (int i = 0; i < 10; ++i) {
    if (notes[i] != 10 * previous + i) {
      fprintf(stderr, "PE %d: notes[%d] is %d\n", me, i, notes[i]);
      shmem_global_exit(1);
    }
  }
  shmem_int_p(&notes[999], me, next);

  double* const page = shmem_align(4096, 512 * sizeof *page);
  if ((uintptr_t)page % 4096 != 0) {
    fprintf(stderr, "PE %d: %p is not the beginning of a page\n", me, (void*)page);
    shmem_global_exit(1);
  }
  shmem_barrier_all();
  if (notes[999] != previous) shmem_global_exit(1);
  shmem_free(page);
  shmem_free(notes);
  if (shmem_malloc(0) != NULL) shmem_global_exit(1);
  if (me == 0) printf("three arrays came and went\n");
  shmem_finalize();
  return 0;
}
