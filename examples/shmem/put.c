/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an array to the last PE, which calls no receive. */
#include <shmem.h>
#include <stdio.h>

enum { count = 10 };

static long received[count];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int target = shmem_n_pes() - 1;
  if (me == 0) {
    const long source[count] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    shmem_long_put(received, source, count, target);
  }
  shmem_barrier_all();

  if (me == target) {
    for (int i = 2; i < count; ++i) {
      if (received[i] != received[i - 1] + received[i - 2] || received[i] == 0) {
        fprintf(stderr, "PE %d: element %d is %ld\n", me, i, received[i]);
        shmem_global_exit(1);
      }
    }
    printf("PE %d has the first %d Fibonacci numbers\n", me, count);
  }
  shmem_finalize();
  return 0;
}
