/* The same measurements for any OpenSHMEM, as JSON on standard output. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { batches = 21 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

#define MEDIAN(result, calls, operation)               \
  do {                                                 \
    double times[batches];                             \
    for (int batch = 0; batch < batches; ++batch) {    \
      const double begin = now_ns();                   \
      for (int i = 0; i < (calls); ++i) {              \
        operation;                                     \
      }                                                \
      times[batch] = (now_ns() - begin) / (calls);     \
    }                                                  \
    qsort(times, batches, sizeof times[0], ascending); \
    result = times[batches / 2];                       \
  } while (0)

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 200000;
  shmem_init();
  const int me = shmem_my_pe(), peer = 1 - me;
  long* word = shmem_calloc(32, sizeof *word);
  long* flag = word + 16;
  double put_quiet = 0, put = 0, get = 0, add = 0, barrier = 0, ping_pong = 0;
  long sum = 0;
  shmem_barrier_all();
  if (me == 0) {
    MEDIAN(put_quiet, calls, (shmem_long_p(word, i, peer), shmem_quiet()));
    MEDIAN(put, calls, shmem_long_p(word, i, peer));
    shmem_quiet();
    MEDIAN(get, calls, sum += shmem_long_g(word, peer));
    MEDIAN(add, calls, sum += shmem_long_atomic_fetch_add(word, 1, peer));
  }
  shmem_barrier_all();
  MEDIAN(barrier, calls / 10, shmem_barrier_all());
  long round = 0;
  MEDIAN(ping_pong, calls / 10, {
    ++round;
    if (me == 0) {
      shmem_long_p(flag, round, peer);
      shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
    } else {
      shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
      shmem_long_p(flag, round, peer);
    }
  });
  if (me == 0) {
    printf(
        "{\"put+quiet\": %.1f, \"put\": %.1f, \"get\": %.1f, \"fetch-add\": %.1f, "
        "\"barrier\": %.1f, \"ping-pong-round-trip\": %.1f, \"sum\": %ld}\n",
        put_quiet, put, get, add, barrier, ping_pong, sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
