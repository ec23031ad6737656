/* SPDX-License-Identifier: BSD-3-Clause */
/* Swaps into one variable: each value is returned exactly once or remains. */
#include <shmem.h>
#include <stdio.h>

enum { empty = 1000 };

static long book = empty;
static long remembered;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const long before = shmem_long_atomic_swap(&book, me, 0);
  shmem_long_atomic_add(&remembered, before, 0);
  shmem_barrier_all();
  if (me == 0) {
    printf("the last visitor was PE %ld\n", book);
    if (remembered + book != empty + (long)pes * (pes - 1) / 2) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
