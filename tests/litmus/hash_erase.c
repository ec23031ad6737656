// SPDX-License-Identifier: BSD-3-Clause
// acre/container/hash/detail/part_erasure.hpp: separate keys.
#include "litmus.h"

enum { locked = 1, full = 2, version = 4 };
atomic_int state = full, key = 1, block = 1;

void* erase(void* unused) {
  int seen = load(&state, acquire);
  const int separate = load(&key, relaxed);
  if (seen != full ||
      !compare_exchange(&state, &seen, version, ORDER(empty, acq_rel, acquire), relaxed))
    return 0;
  assert(separate == 1);
  fence(ORDER(free, release, relaxed));
  store(&block, -1, relaxed);
  return 0;
}
void* insert(void* unused) {
  int seen = load(&state, acquire);
  if (seen != version || !compare_exchange(&state, &seen, seen | locked, acq_rel, relaxed))
    return 0;
  fence(release);
  store(&key, 2, relaxed);
  store(&state, 2 * version | full, release);
  return 0;
}
void* find(void* unused) {
  const int seen = load(&state, acquire);
  if ((seen & full) == 0 || load(&key, relaxed) != 1) return 0;
  const int copied = load(&block, relaxed);
  fence(ORDER(look_again, acquire, relaxed));
  if (load(&state, relaxed) == seen) assert(copied == 1);
  return 0;
}

int main(void) { THREADS(erase, insert, find); }
