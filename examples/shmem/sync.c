/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_sync of an active set (deprecated) and, in C11, of a team. Does not complete puts. */
#include <shmem.h>
#include <stdio.h>

static long p_sync[SHMEM_SYNC_SIZE];
static int arrivals;

int main(void) {
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) p_sync[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  shmem_int_atomic_inc(&arrivals, 0);
  shmem_quiet();
  shmem_sync(0, 0, pes, p_sync);
  if (me == 0) printf("%d have come\n", arrivals);
  if (shmem_int_g(&arrivals, 0) != pes) shmem_global_exit(1);
  shmem_sync(SHMEM_TEAM_WORLD);
  shmem_int_atomic_inc(&arrivals, 0);
  shmem_quiet();
  shmem_sync(SHMEM_TEAM_WORLD);
  if (shmem_int_g(&arrivals, 0) != 2 * pes) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
