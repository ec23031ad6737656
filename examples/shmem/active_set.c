/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of an active set (deprecated; use teams), with work arrays from the program. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64 };

static long p_sync[4][SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE];
static int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static int mine, sum, word[2], told[2], all[most];

int main(void) {
  for (size_t i = 0; i < sizeof p_sync / sizeof(long); ++i) (&p_sync[0][0])[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  const int me = shmem_my_pe();
  const int evens = (shmem_n_pes() + 1) / 2;
  if (me % 2 == 0) {
    mine = me + 1;
    shmem_int_sum_to_all(&sum, &mine, 1, 0, 1, evens, work, p_sync[0]);
    if (sum != evens * evens) shmem_global_exit(1);

    word[0] = word[1] = me + 7;
    shmem_broadcast32(told, word, 2, evens - 1, 0, 1, evens, p_sync[1]);
    const int root = 2 * (evens - 1);
    if (told[1] != (me == root ? 0 : root + 7)) shmem_global_exit(1);

    shmem_fcollect32(all, &mine, 1, 0, 1, evens, p_sync[2]);
    for (int i = 0; i < evens; ++i) {
      if (all[i] != 2 * i + 1) shmem_global_exit(1);
    }
    if (me == 0) printf("%d even PEs: their sum is %d\n", evens, sum);
    shmem_sync(0, 1, evens, p_sync[3]);
  }
  shmem_finalize();
  return 0;
}
