/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests thread support; four threads write concurrently. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static char verse[] = "....................";
static const char* const words[] = {"many ", "hands", " make", " it so"};

static void* write_words(void* argument) {
  const int thread = *(int*)argument;
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_char_put(verse + thread * 5, words[thread], 5, next);
  return NULL;
}

int main(void) {
  int provided, asked_again;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0) return 1;
  shmem_query_thread(&asked_again);
  if (provided != SHMEM_THREAD_MULTIPLE || asked_again != provided) {
    fprintf(stderr, "got level %d of threads\n", provided);
    shmem_global_exit(1);
  }

  pthread_t threads[4];
  int numbers[4] = {0, 1, 2, 3};
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, write_words, &numbers[i]);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  shmem_barrier_all();

  printf("PE %d reads: %s\n", shmem_my_pe(), verse);
  if (strcmp(verse, "many hands make it s") != 0) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
