/* SPDX-License-Identifier: BSD-3-Clause */
/* One context per thread, so completion is independent; threads take tasks from all PEs. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

enum { tasks_of_a_pe = 100, threads = 2 };

static long taken, done;

static void* work(void* argument) {
  (void)argument;
  shmem_ctx_t context;
  if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) != 0) shmem_global_exit(1);
  const int pes = shmem_n_pes();
  int pe = shmem_my_pe();
  for (int empty = 0; empty < pes;) {
    if (shmem_ctx_long_atomic_fetch_inc(context, &taken, pe) < tasks_of_a_pe) {
      shmem_ctx_long_atomic_inc(context, &done, 0);
    } else {
      ++empty;
      pe = (pe + 1) % pes;
    }
  }
  shmem_ctx_destroy(context); /* completes its operations */
  return NULL;
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  if (provided != SHMEM_THREAD_MULTIPLE) shmem_global_exit(1);
  pthread_t others[threads];
  for (int i = 0; i < threads; ++i) pthread_create(&others[i], NULL, work, NULL);
  for (int i = 0; i < threads; ++i) pthread_join(others[i], NULL);
  shmem_barrier_all();

  if (shmem_my_pe() == 0) {
    printf("%ld tasks are done\n", done);
    if (done != (long)tasks_of_a_pe * shmem_n_pes()) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
