/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a counter of every PE in one round trip. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64 };

static long counter;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  shmem_long_atomic_set(&counter, 11L * me, me);
  shmem_barrier_all();

  long seen[most];
  for (int pe = 0; pe < pes; ++pe) shmem_long_atomic_fetch_nbi(&seen[pe], &counter, pe);
  shmem_quiet();
  for (int pe = 0; pe < pes; ++pe) {
    if (seen[pe] != 11L * pe) {
      fprintf(stderr, "PE %d: PE %d has %ld\n", me, pe, seen[pe]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("looked at %d counters\n", pes);
  shmem_finalize();
  return 0;
}
