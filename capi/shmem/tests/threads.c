/* SPDX-License-Identifier: BSD-3-Clause */
/* Concurrent threads create and destroy contexts; one thread's barrier completes the puts of all.
 */
#include "check.h"

#include <pthread.h>
#include <shmem.h>

enum { threads = 4, rounds = 2000, at_once = 30, count = 300 };

static long counter;
static int rows[threads][count];
static pthread_barrier_t meeting;

static void* work(void* argument) {
  const int thread = *(int*)argument;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  pthread_barrier_wait(&meeting);
  for (int i = 0; i < rounds; ++i) {
    shmem_ctx_t ctx[at_once];
    shmem_team_t team;
    for (int j = 0; j < at_once; ++j) {
      CHECK(shmem_ctx_create(j % 2 == 0 ? SHMEM_CTX_PRIVATE : 0, &ctx[j]) == 0);
      CHECK(shmem_ctx_get_team(ctx[j], &team) == 0 && team == SHMEM_TEAM_WORLD);
    }
    if (i % 400 == 0) shmem_ctx_long_atomic_inc(ctx[0], &counter, (me + i) % pes);
    for (int j = 0; j < at_once; ++j) shmem_ctx_destroy(ctx[j]);
  }
  int row[count];
  for (int i = 0; i < count; ++i) row[i] = 1000 * me + 100 * thread + i % 100;
  shmem_int_put_nbi(rows[thread], row, count, (me + 1) % pes);
  pthread_barrier_wait(&meeting);
  pthread_barrier_wait(&meeting);
  return NULL;
}

static void* finalize(void* unused) {
  shmem_finalize();
  return unused;
}

int main(void) {
  int provided;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  CHECK(provided == SHMEM_THREAD_MULTIPLE);
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  pthread_barrier_init(&meeting, NULL, threads + 1);
  pthread_t started[threads];
  int numbers[threads];
  for (int i = 0; i < threads; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&started[i], NULL, work, &numbers[i]) == 0);
  }
  pthread_barrier_wait(&meeting);
  pthread_barrier_wait(&meeting);
  shmem_barrier_all();
  const int previous = (me + pes - 1) % pes;
  for (int thread = 0; thread < threads; ++thread) {
    for (int i = 0; i < count; ++i) {
      CHECK(rows[thread][i] == 1000 * previous + 100 * thread + i % 100);
    }
  }
  static long mine, all;
  mine = counter;
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1) == 0);
  CHECK(all == (long)threads * (rounds / 400) * pes);
  pthread_barrier_wait(&meeting);
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  if (me == 0) {
    CHECK(pthread_create(&started[0], NULL, finalize, NULL) == 0);
    pthread_join(started[0], NULL);
  } else {
    shmem_finalize();
  }
  return 0;
}
