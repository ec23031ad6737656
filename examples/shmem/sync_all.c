/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_sync_all: cheaper barrier that completes plain loads and stores, but not puts. */
#include <shmem.h>
#include <stdio.h>

static int value;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  for (int round = 0; round < 50; ++round) {
    value = me + round;
    shmem_sync_all();
    const int pe = (me + round) % pes;
    const int seen = shmem_int_g(&value, pe);
    if (seen != pe + round) {
      fprintf(stderr, "PE %d: round %d: PE %d has %d\n", me, round, pe, seen);
      shmem_global_exit(1);
    }
    shmem_sync_all(); /* all have read before the next write */
  }
  if (me == 0) printf("50 rounds\n");
  shmem_finalize();
  return 0;
}
