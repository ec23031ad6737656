/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiler defines shmem_long_put and calls pshmem_long_put. */
#include <pshmem.h>
#include <shmem.h>
#include <stdio.h>

static int calls;
static size_t elements;
static long data[10];

void shmem_long_put(long* dest, const long* source, size_t nelems, int pe) {
  ++calls;
  elements += nelems;
  pshmem_long_put(dest, source, nelems, pe);
}

int main(void) {
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  const long ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (size_t n = 1; n <= 4; ++n) shmem_long_put(data, ones, n, next);
  shmem_barrier_all();
  printf("PE %d: %d puts of %zu elements\n", shmem_my_pe(), calls, elements);
  if (calls != 4 || elements != 10 || data[3] != 1 || data[4] != 0) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
