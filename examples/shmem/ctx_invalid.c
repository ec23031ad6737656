/* SPDX-License-Identifier: BSD-3-Clause */
/* SHMEM_CTX_INVALID marks an unset context. Each thread creates one on first use: private, else
 * shared, else the default. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

enum { threads = 3, count = 1000 };

static _Thread_local shmem_ctx_t context = SHMEM_CTX_INVALID;
static int lines[threads][count];

static shmem_ctx_t my_context(void) {
  if (context == SHMEM_CTX_INVALID && shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) != 0 &&
      shmem_ctx_create(0, &context) != 0) {
    context = SHMEM_CTX_DEFAULT;
  }
  return context;
}

static void* draw(void* argument) {
  const int thread = *(int*)argument;
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  int line[count];
  for (int i = 0; i < count; ++i) line[i] = 1000 * thread + i;
  shmem_ctx_int_put(my_context(), lines[thread], line, count / 2, next);
  shmem_ctx_int_put(my_context(), lines[thread] + count / 2, line + count / 2, count / 2, next);
  shmem_ctx_quiet(my_context());
  if (context != SHMEM_CTX_DEFAULT) shmem_ctx_destroy(context);
  return NULL;
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t others[threads];
  int numbers[threads];
  for (int i = 0; i < threads; ++i) {
    numbers[i] = i;
    pthread_create(&others[i], NULL, draw, &numbers[i]);
  }
  for (int i = 0; i < threads; ++i) pthread_join(others[i], NULL);
  shmem_barrier_all();

  if (context != SHMEM_CTX_INVALID) shmem_global_exit(1);
  for (int i = 0; i < threads * count; ++i) {
    if (lines[i / count][i % count] != i / count * 1000 + i % count) shmem_global_exit(1);
  }
  if (shmem_my_pe() == 0) printf("%d threads drew %d points each\n", threads, count);
  shmem_finalize();
  return 0;
}
