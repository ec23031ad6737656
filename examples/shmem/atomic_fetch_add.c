/* SPDX-License-Identifier: BSD-3-Clause */
/* Reserves space in a shared log. */
#include <shmem.h>
#include <stdio.h>

static size_t end_of_log;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const size_t capacity = (size_t)pes * (size_t)(pes + 1) / 2;
  int* const journal = shmem_malloc(capacity * sizeof *journal);

  const size_t lines = (size_t)me + 1;
  const size_t begin = shmem_size_atomic_fetch_add(&end_of_log, lines, 0);
  for (size_t i = 0; i < lines; ++i) shmem_int_p(&journal[begin + i], me, 0);
  shmem_barrier_all();

  if (me == 0) {
    for (size_t i = 0; i < end_of_log;) {
      const int writer = journal[i];
      printf("%d lines by PE %d\n", writer + 1, writer);
      for (int line = 0; line <= writer; ++line) {
        if (journal[i++] != writer) shmem_global_exit(1);
      }
    }
    if (end_of_log != capacity) shmem_global_exit(1);
  }
  shmem_free(journal);
  shmem_finalize();
  return 0;
}
