/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributes a sum round-robin by PE number. */
#include <shmem.h>
#include <stdio.h>

static long total;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  long mine = 0;
  for (long i = 1 + me; i <= 1000; i += shmem_n_pes()) mine += i;
  shmem_long_atomic_add(&total, mine, 0);
  shmem_barrier_all();
  if (me == 0) {
    printf("1 + 2 + ... + 1000 = %ld\n", total);
    if (total != 500500) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
