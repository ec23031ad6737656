/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations are mutually atomic with one type and teams of the same PEs; a barrier separates other
 * kinds of access. */
#include <shmem.h>
#include <stdio.h>

static uint64_t word;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  shmem_uint64_atomic_add(&word, 1, 0); /* 64 bits */
  shmem_barrier_all();
  if (me == 0) word *= 2; /* plain access by the owner only */
  shmem_barrier_all();
  shmem_uint32_atomic_add((uint32_t*)&word, 1, 0); /* lower 32 bits */
  shmem_barrier_all();
  static long sum, addend;
  addend = (long)shmem_uint64_g(&word, 0);
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &addend, 1);
  if (me == 0) printf("%ld\n", sum / pes);
  if (sum != 3L * pes * pes) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
