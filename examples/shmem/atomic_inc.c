/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts votes on remote PEs without reply. */
#include <shmem.h>
#include <stdio.h>

static long votes;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  shmem_long_atomic_inc(&votes, 0);
  shmem_long_atomic_inc(&votes, (me + 1) % pes);
  shmem_barrier_all();
  printf("%ld votes for PE %d\n", votes, me);
  if (votes != (me == 0 ? pes + 1 : 1)) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
