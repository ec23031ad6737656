/* SPDX-License-Identifier: BSD-3-Clause */
/* apps/isx in OpenSHMEM, exchanged as in the reference ISx. Prints the slowest PE's median
 * iteration, as JSON.
 *
 *     oshrun -n 2 isx_shmem [KEYS_OF_A_PE [ITERATIONS]] */
#define _GNU_SOURCE
#include "isx.h"

#include <shmem.h>
#include <time.h>

static long* filled; /* keys in `received`; added to by all PEs */
static phases* all_times;
static check* all_checks;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Begins with the next PE, so that all targets differ. */
static void exchange(void) {
  for (int i = 1; i <= size; ++i) {
    const int target = (rank + i) % size;
    const int count = send_counts[target];
    const int at = (int)shmem_long_atomic_fetch_add(filled, count, target);
    if ((size_t)at + (size_t)count > capacity) shmem_global_exit(1);
    shmem_put32(received + at, bucketized + send_begins[target], (size_t)count, target);
    shmem_int_put(received_sizes + rank * row, bucket_sizes + target * row, (size_t)row, target);
    shmem_int_p(receive_begins + rank, at, target);
  }
  shmem_barrier_all();
}

static phases sort_once(void) {
  *filled = 0;
  shmem_barrier_all();
  const double begin = now();
  bucketize();
  const double bucketized_at = now();
  exchange();
  const double exchanged_at = now();
  count_and_write();
  shmem_barrier_all();
  return (phases){bucketized_at - begin, exchanged_at - bucketized_at, now() - exchanged_at};
}

static double larger(double a, double b) { return a > b ? a : b; }

static phases slowest(int iteration, int iterations) {
  phases worst = {0, 0, 0};
  for (int pe = 0; pe < size; ++pe) {
    const phases here = all_times[pe * iterations + iteration];
    worst.bucketize = larger(worst.bucketize, here.bucketize);
    worst.exchange = larger(worst.exchange, here.exchange);
    worst.sort = larger(worst.sort, here.sort);
  }
  return worst;
}

int main(int argc, char** argv) {
  shmem_init();
  rank = shmem_my_pe();
  size = shmem_n_pes();
  prepare(argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)1 << 24);
  const int iterations = argc > 2 ? atoi(argv[2]) : 5;
  const size_t pes = (size_t)size, runs = (size_t)iterations;
  received = shmem_malloc(sizeof(key) * capacity);
  received_sizes = shmem_calloc((size_t)row * pes, sizeof(int));
  receive_begins = shmem_calloc(pes, sizeof(int));
  filled = shmem_calloc(1, sizeof *filled);
  all_times = shmem_calloc(pes * runs, sizeof *all_times);
  all_checks = shmem_calloc(pes, sizeof *all_checks);
  if (received == NULL || all_checks == NULL) shmem_global_exit(1);

  sort_once();
  phases* times = malloc(sizeof(phases) * runs);
  for (int i = 0; i < iterations; ++i) times[i] = sort_once();
  const check here = check_here();
  shmem_putmem(all_times + (size_t)rank * runs, times, sizeof(phases) * runs, 0);
  shmem_putmem(all_checks + rank, &here, sizeof here, 0);
  shmem_barrier_all();
  int right = 1;
  if (rank == 0) {
    check all = {0, 0, 0, 0, 0};
    for (int pe = 0; pe < size; ++pe) {
      all.found += all_checks[pe].found;
      all.sum += all_checks[pe].sum;
      all.flaws += all_checks[pe].flaws;
      all.keys += all_checks[pe].keys;
      all.key_sum += all_checks[pe].key_sum;
    }
    for (int i = 0; i < iterations; ++i) times[i] = slowest(i, iterations);
    right = is_right(all);
    print(times, iterations, right);
    fflush(stdout);
  }
  shmem_barrier_all();
  shmem_finalize();
  return right ? 0 : 1;
}
