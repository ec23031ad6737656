// SPDX-License-Identifier: BSD-3-Clause
// acre/container/hash/detail/part_insertion.hpp, block_chain.cpp
#include "litmus.h"

enum { locked = 1, full = 2, reach_two = 4, version = 8 };
atomic_int home = full, bucket, key, link_next, key_in_block;
int capacity;

int lock_home(void) {
  int seen = load(&home, acquire);
  assume((seen & locked) == 0);
  assume(compare_exchange(&home, &seen, seen | locked, acq_rel, relaxed));
  fence(release);
  return seen;
}

void* insert(void* unused) {
  int seen = lock_home();
  store(&bucket, locked, relaxed);
  fence(release);
  store(&key, 1, relaxed);
  store(&bucket, full, ORDER(fill, release, relaxed));
  store(&home, seen | reach_two, ORDER(unlock, release, relaxed));
  return 0;
}
void* insert_in_block(void* unused) {
  int seen = lock_home();
  capacity = 1;
  store(&link_next, 1, ORDER(add_block, release, relaxed));
  store(&key_in_block, 1, relaxed);
  store(&home, seen + version, release);
  return 0;
}
void* find(void* unused) {
  const int seen = load(&home, ORDER(look, acquire, relaxed));
  if (seen & reach_two) assert(load(&bucket, acquire) == full && load(&key, relaxed) == 1);
  const int has_more = load(&link_next, ORDER(following, acquire, relaxed));
  if (has_more) assert(capacity == 1);
  if (seen >= version) assert(has_more && load(&key_in_block, relaxed) == 1);
  return 0;
}
void* find_in_bucket(void* unused) {
  if (load(&bucket, ORDER(look_beyond, acquire, relaxed)) == full) assert(load(&key, relaxed) == 1);
  return 0;
}

int main(void) { THREADS(insert, insert_in_block, find, find_in_bucket); }
