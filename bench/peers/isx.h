/* SPDX-License-Identifier: BSD-3-Clause */
/* Local parts of the ISx peers: keys, buckets and counting as in apps/isx, one range per rank as in
 * the reference ISx. The programs define rank, size and the exchange. */
#pragma once
#include "split_mix.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef uint32_t key;

enum { overshoot = 4 };

static int rank, size;
static unsigned bits, bucket_bits;
static int row; /* buckets per rank */
static size_t capacity;
static key *keys, *bucketized, *received, *sorted;
static size_t key_count, found;
static uint32_t* counts;
static key** next_of;                      /* next position of each bucket */
static int *bucket_sizes, *received_sizes; /* by bucket; by source and bucket */
static int *send_counts, *send_begins, *receive_counts, *receive_begins;

static key make_key(uint64_t i) { return (key)(split_mix_at(0, i) >> (64 - bits)); }

static unsigned bit_width(uint64_t x) { return x == 0 ? 0 : 64 - (unsigned)__builtin_clzll(x); }

static void* allocate(size_t bytes) {
  const size_t page = (size_t)2 << 20;
  const size_t rounded = (bytes + page - 1) / page * page;
  void* memory = aligned_alloc(page, rounded);
  if (memory == NULL) abort();
  madvise(memory, rounded, MADV_HUGEPAGE);
  memset(memory, 0, rounded);
  return memory;
}

/* The caller allocates `received`, `received_sizes`, `receive_begins`. */
static void prepare(size_t keys_of_a_rank) {
  key_count = keys_of_a_rank;
  bits = bit_width(2 * key_count - 1);
  if (bits > 31) bits = 31;
  const unsigned least = bit_width(8 * (uint64_t)size);
  bucket_bits = bits - (least < bits ? least : bits);
  if (bucket_bits > 16) bucket_bits = 16;
  row = (int)(((1U << (bits - bucket_bits)) + (unsigned)size - 1) / (unsigned)size);
  capacity = key_count + key_count / 4 + 4096;
  const size_t buckets = (size_t)row * (size_t)size;
  keys = allocate(sizeof(key) * key_count);
  bucketized = allocate(sizeof(key) * key_count);
  sorted = allocate(sizeof(key) * (capacity + overshoot));
  counts = allocate(sizeof(*counts) << bucket_bits);
  next_of = allocate(sizeof(*next_of) * buckets);
  bucket_sizes = allocate(sizeof(int) * buckets);
  send_counts = allocate(sizeof(int) * 3 * (size_t)size);
  send_begins = send_counts + size;
  receive_counts = send_counts + 2 * size;
  for (size_t i = 0; i < key_count; ++i) keys[i] = make_key((size_t)rank * key_count + i);
}

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
  count_buckets();
  for (size_t i = 0; i < key_count; ++i) *next_of[keys[i] >> bucket_bits]++ = keys[i];
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

/* Number and sum of the sorted keys, flaws of order or place, number and sum of the own keys. */
typedef struct {
  uint64_t found, sum, flaws, keys, key_sum;
} check;

static check check_here(void) {
  check here = {found, 0, 0, key_count, 0};
  for (size_t i = 0; i < found; ++i) {
    here.sum += sorted[i];
    const uint64_t owner = (sorted[i] >> bucket_bits) / (key)row;
    if (owner != (uint64_t)rank || (i != 0 && sorted[i - 1] > sorted[i])) ++here.flaws;
  }
  for (size_t i = 0; i < key_count; ++i) here.key_sum += keys[i];
  return here;
}

static int is_right(check all) {
  return all.found == all.keys && all.sum == all.key_sum && all.flaws == 0;
}

typedef struct {
  double bucketize, exchange, sort;
} phases;

static double total(phases of) { return of.bucketize + of.exchange + of.sort; }

static int by_total(const void* a, const void* b) {
  const double x = total(*(const phases*)a), y = total(*(const phases*)b);
  return (x > y) - (x < y);
}

static void print(phases* times, int iterations, int right) {
  qsort(times, (size_t)iterations, sizeof(phases), by_total);
  const phases middle = times[iterations / 2];
  printf(
      "{\"ranks\": %d, \"keys\": %zu, \"bits\": %u, \"verified\": %s, \"bucketize_ms\": %.2f, "
      "\"exchange_ms\": %.2f, \"sort_ms\": %.2f, \"total_ms\": %.2f}\n",
      size, key_count * (size_t)size, bits, right ? "true" : "false", 1e3 * middle.bucketize,
      1e3 * middle.exchange, 1e3 * middle.sort, 1e3 * total(middle));
}
