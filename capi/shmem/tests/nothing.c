/* SPDX-License-Identifier: BSD-3-Clause */
/* Empty transfers and collectives, with null addresses; active sets of one PE. */
#include "check.h"

#include <shmem.h>

static uint64_t signal_word;
static long p_sync[SHMEM_REDUCE_SYNC_SIZE];
static int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static void test_transfers(int pe) {
  shmem_putmem(NULL, NULL, 0, pe);
  shmem_getmem(NULL, NULL, 0, pe);
  shmem_putmem_nbi(NULL, NULL, 0, pe);
  shmem_getmem_nbi(NULL, NULL, 0, pe);
  shmem_int_put(NULL, NULL, 0, pe);
  shmem_iput64(NULL, NULL, 1, 1, 0, pe);
  shmem_iget32(NULL, NULL, 1, 1, 0, pe);
  shmem_quiet();
  shmem_putmem_signal(NULL, NULL, 0, &signal_word, 1, SHMEM_SIGNAL_ADD, pe);
  shmem_putmem_signal_nbi(NULL, NULL, 0, &signal_word, 1, SHMEM_SIGNAL_ADD, pe);
}

static void test_collectives(int pes) {
  CHECK(shmem_int_broadcast(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0) == 0);
  CHECK(shmem_int_collect(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
  CHECK(shmem_int_fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
  CHECK(shmem_int_alltoall(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
  CHECK(shmem_int_alltoalls(SHMEM_TEAM_WORLD, NULL, NULL, 1, 1, 0) == 0);
  CHECK(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
  shmem_broadcast32(NULL, NULL, 0, 0, 0, 0, pes, p_sync);
  shmem_collect64(NULL, NULL, 0, 0, 0, pes, p_sync);
  shmem_fcollect32(NULL, NULL, 0, 0, 0, pes, p_sync);
  shmem_alltoall64(NULL, NULL, 0, 0, 0, pes, p_sync);
  shmem_alltoalls32(NULL, NULL, 1, 1, 0, 0, 0, pes, p_sync);
  shmem_int_and_to_all(NULL, NULL, 0, 0, 0, pes, work, p_sync);
}

static void test_alone(int me) {
  static int from[2], to[2];
  from[0] = me + 1;
  from[1] = 7;
  shmem_int_sum_to_all(to, from, 2, me, 0, 1, work, p_sync);
  CHECK(to[0] == me + 1 && to[1] == 7);
  to[0] = -1;
  shmem_broadcast32(to, from, 2, 0, me, 3, 1, p_sync);
  CHECK(to[0] == -1);
  shmem_collect32(to, from, 2, me, 0, 1, p_sync);
  CHECK(to[0] == me + 1);
  shmem_barrier(me, 0, 1, p_sync);
}

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  for (int pe = 0; pe < pes; ++pe) test_transfers(pe);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 2 * (uint64_t)pes);
  test_collectives(pes);
  test_alone(shmem_my_pe());
  shmem_finalize();
  return 0;
}
