/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier of an active set, the even PEs (deprecated; with teams: shmem_quiet and shmem_team_sync).
 */
#include <shmem.h>
#include <stdio.h>

static long p_sync[SHMEM_BARRIER_SYNC_SIZE];
static int box = -1;

int main(void) {
  for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; ++i) p_sync[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  const int me = shmem_my_pe();
  const int evens = (shmem_n_pes() + 1) / 2;
  if (me % 2 == 0) {
    shmem_int_p(&box, me, (me + 2) % (2 * evens));
    shmem_barrier(0, 1, evens, p_sync); /* starts at PE 0, stride 2^1 */
    printf("PE %d has word from PE %d\n", me, box);
    if (box != (me + 2 * evens - 2) % (2 * evens)) shmem_global_exit(1);
  } else if (box != -1) {
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
