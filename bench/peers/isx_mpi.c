/* SPDX-License-Identifier: BSD-3-Clause */
/* apps/isx in MPI, after the reference ISx, which has one bucket per rank; keys, buckets and
 * counting are those of apps/isx. Prints the slowest rank's median iteration, as JSON.
 *
 *     mpirun -n 2 isx_mpi [KEYS_OF_A_RANK [ITERATIONS]] */
#define _GNU_SOURCE
#include "split_mix.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef uint32_t key;

static key make_key(uint64_t i, unsigned bits) { return (key)(split_mix_at(0, i) >> (64 - bits)); }

static unsigned bit_width(uint64_t x) { return x == 0 ? 0 : 64 - (unsigned)__builtin_clzll(x); }

/* Huge pages, as in Acre. */
static void* allocate(size_t bytes) {
  const size_t page = (size_t)2 << 20;
  const size_t rounded = (bytes + page - 1) / page * page;
  void* memory = aligned_alloc(page, rounded);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  madvise(memory, rounded, MADV_HUGEPAGE);
  memset(memory, 0, rounded);
  return memory;
}

enum { overshoot = 4 };

static int rank, size;
static unsigned bucket_bits;
static int row; /* buckets per rank */
static size_t capacity;
static key *keys, *bucketized, *received, *sorted;
static size_t key_count, found;
static uint32_t* counts;
static key** next_of;                      /* next position of each bucket */
static int *bucket_sizes, *received_sizes; /* by bucket; by source and bucket */
static int *send_counts, *send_begins, *receive_counts, *receive_begins;

static void count_buckets(void) {
  memset(bucket_sizes, 0, sizeof(int) * (size_t)row * (size_t)size);
  for (size_t i = 0; i < key_count; ++i) ++bucket_sizes[keys[i] >> bucket_bits];
  key* next = bucketized;
  for (int bucket = 0; bucket < row * size; ++bucket) {
    if (bucket % row == 0) send_begins[bucket / row] = (int)(next - bucketized);
    next_of[bucket] = next;
    next += bucket_sizes[bucket];
  }
  for (int target = 0; target < size; ++target) {
    const int end = target + 1 < size ? send_begins[target + 1] : (int)key_count;
    send_counts[target] = end - send_begins[target];
  }
}

static void bucketize(void) {
  for (size_t i = 0; i < key_count; ++i) *next_of[keys[i] >> bucket_bits]++ = keys[i];
}

static void exchange(void) {
  MPI_Alltoall(bucket_sizes, row, MPI_INT, received_sizes, row, MPI_INT, MPI_COMM_WORLD);
  size_t all = 0;
  for (int source = 0; source < size; ++source) {
    receive_begins[source] = (int)all;
    receive_counts[source] = 0;
    for (int b = 0; b < row; ++b) receive_counts[source] += received_sizes[source * row + b];
    all += (size_t)receive_counts[source];
  }
  if (all > capacity) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Alltoallv(bucketized, send_counts, send_begins, MPI_UINT32_T, received, receive_counts,
                receive_begins, MPI_UINT32_T, MPI_COMM_WORLD);
}

static void count_and_write(void) {
  const size_t values = (size_t)1 << bucket_bits;
  key* out = sorted;
  key value = (key)rank * (key)row << bucket_bits;
  for (int b = 0; b < row; ++b) {
    memset(counts, 0, sizeof(*counts) * values);
    for (int source = 0; source < size; ++source) {
      const key* at = received + receive_begins[source];
      const key* end = at + received_sizes[source * row + b];
      receive_begins[source] += received_sizes[source * row + b];
      for (; at != end; ++at) ++counts[*at & (values - 1)];
    }
    for (size_t i = 0; i < values; ++i, ++value) {
      const uint32_t count = counts[i];
      for (int j = 0; j < overshoot; ++j) out[j] = value;
      if (__builtin_expect(count > overshoot, 0)) {
        for (uint32_t j = overshoot; j < count; ++j) out[j] = value;
      }
      out += count;
    }
  }
  found = (size_t)(out - sorted);
}

static int is_right(void) {
  uint64_t sums[3] = {found, 0, 0}, wanted[2] = {key_count, 0};
  for (size_t i = 0; i < found; ++i) {
    sums[1] += sorted[i];
    const uint64_t owner = (sorted[i] >> bucket_bits) / (key)row;
    if (owner != (uint64_t)rank || (i != 0 && sorted[i - 1] > sorted[i])) ++sums[2];
  }
  for (size_t i = 0; i < key_count; ++i) wanted[1] += keys[i];
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, wanted, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sums[0] == wanted[0] && sums[1] == wanted[1] && sums[2] == 0;
}

typedef struct {
  double bucketize, exchange, sort, total;
} phases;

static phases sort_once(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  count_buckets();
  bucketize();
  const double bucketized_at = MPI_Wtime();
  exchange();
  const double exchanged_at = MPI_Wtime();
  count_and_write();
  MPI_Barrier(MPI_COMM_WORLD);
  const double end = MPI_Wtime();
  double times[3] = {bucketized_at - begin, exchanged_at - bucketized_at, end - exchanged_at};
  MPI_Allreduce(MPI_IN_PLACE, times, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return (phases){times[0], times[1], times[2], times[0] + times[1] + times[2]};
}

static int by_total(const void* a, const void* b) {
  const double x = ((const phases*)a)->total, y = ((const phases*)b)->total;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  key_count = argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)1 << 24;
  const int iterations = argc > 2 ? atoi(argv[2]) : 5;

  unsigned bits = bit_width(2 * key_count - 1);
  if (bits > 31) bits = 31;
  const unsigned least = bit_width(8 * (uint64_t)size);
  bucket_bits = bits - (least < bits ? least : bits);
  if (bucket_bits > 16) bucket_bits = 16;
  row = (int)(((1U << (bits - bucket_bits)) + (unsigned)size - 1) / (unsigned)size);
  capacity = key_count + key_count / 4 + 4096;

  const size_t buckets = (size_t)row * (size_t)size, ranks = (size_t)size;
  keys = allocate(sizeof(key) * key_count);
  bucketized = allocate(sizeof(key) * key_count);
  received = allocate(sizeof(key) * capacity);
  sorted = allocate(sizeof(key) * (capacity + overshoot));
  counts = allocate(sizeof(*counts) << bucket_bits);
  next_of = allocate(sizeof(*next_of) * buckets);
  bucket_sizes = allocate(sizeof(int) * buckets);
  received_sizes = allocate(sizeof(int) * buckets);
  int* by_rank = allocate(sizeof(int) * 4 * ranks);
  send_counts = by_rank;
  send_begins = by_rank + ranks;
  receive_counts = by_rank + 2 * ranks;
  receive_begins = by_rank + 3 * ranks;
  for (size_t i = 0; i < key_count; ++i) keys[i] = make_key((size_t)rank * key_count + i, bits);

  sort_once();
  phases* times = malloc(sizeof(phases) * (size_t)iterations);
  for (int i = 0; i < iterations; ++i) times[i] = sort_once();
  qsort(times, (size_t)iterations, sizeof(phases), by_total);
  const phases middle = times[iterations / 2];
  const int right = is_right();
  if (rank == 0) {
    printf(
        "{\"ranks\": %d, \"keys\": %zu, \"bits\": %u, \"verified\": %s, "
        "\"bucketize_ms\": %.2f, \"exchange_ms\": %.2f, \"sort_ms\": %.2f, "
        "\"total_ms\": %.2f}\n",
        size, key_count * ranks, bits, right ? "true" : "false", 1e3 * middle.bucketize,
        1e3 * middle.exchange, 1e3 * middle.sort, 1e3 * middle.total);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
