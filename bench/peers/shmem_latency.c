/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM latencies between two PEs: best and median nanoseconds, as JSON. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { batches = 101 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

struct result {
  double best, median;
};

#define MEASURE(result, calls, operation, ending)      \
  do {                                                 \
    double times[batches];                             \
    for (int batch = 0; batch < batches; ++batch) {    \
      const double begin = now_ns();                   \
      for (int i = 0; i < (calls); ++i) {              \
        operation;                                     \
      }                                                \
      ending;                                          \
      times[batch] = (now_ns() - begin) / (calls);     \
    }                                                  \
    qsort(times, batches, sizeof times[0], ascending); \
    (result).best = times[0];                          \
    (result).median = times[batches / 2];              \
  } while (0)

static void print(const char* name, struct result r, const char* after) {
  printf("\"%s\": {\"best\": %.2f, \"median\": %.2f}%s", name, r.best, r.median, after);
}

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 40000;
  shmem_init();
  const int me = shmem_my_pe(), peer = 1 - me;
  long* word = shmem_calloc(32, sizeof *word);
  long* flag = word + 16;
  struct result put_quiet, put, get, add, barrier, ping_pong;
  long sum = 0;
  shmem_barrier_all();
  if (me == 0) {
    MEASURE(put_quiet, calls, (shmem_long_p(word, i, peer), shmem_quiet()), );
    MEASURE(put, calls, shmem_long_p(word, i, peer), shmem_quiet());
    MEASURE(get, calls, sum += shmem_long_g(word, peer), );
    MEASURE(add, calls, sum += shmem_long_atomic_fetch_add(word, 1, peer), );
  }
  shmem_barrier_all();
  MEASURE(barrier, calls / 10, shmem_barrier_all(), );
  long round = 0;
  MEASURE(
      ping_pong, calls / 10, {
        ++round;
        if (me == 0) {
          shmem_long_p(flag, round, peer);
          shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
        } else {
          shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
          shmem_long_p(flag, round, peer);
        }
      }, );
  if (me == 0) {
    printf("{");
    print("put+quiet", put_quiet, ", ");
    print("put", put, ", ");
    print("get", get, ", ");
    print("fetch-add", add, ", ");
    print("barrier", barrier, ", ");
    print("ping-pong-round-trip", ping_pong, ", ");
    printf("\"sum\": %ld}\n", sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
