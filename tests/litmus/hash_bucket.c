// SPDX-License-Identifier: BSD-3-Clause
// acre/container/hash/detail/bucket.hpp
#include "litmus.h"

enum { locked = 1, full = 2, version = 4 };
atomic_int state = full, key = 1, value[2];

int try_change(int seen, int next) {
  return compare_exchange(&state, &seen, next, acq_rel, relaxed);
}
int try_lock(int seen) {
  if ((seen & locked) != 0 || !try_change(seen, seen | locked)) return 0;
  fence(ORDER(try_lock, release, relaxed));
  return 1;
}
int look(void) { return load(&state, ORDER(look, acquire, relaxed)); }
int look_again(void) {
  fence(ORDER(look_again, acquire, relaxed));
  return load(&state, relaxed);
}
void unlock(int next) { store(&state, next, ORDER(unlock, release, relaxed)); }

void set_value(int number) {
  store(&value[0], number, relaxed);
  store(&value[1], number, relaxed);
}

void* update(void* unused) {
  const int seen = load(&state, acquire);
  if ((seen & full) == 0 || load(&key, relaxed) != 1 || !try_lock(seen)) return 0;
  assert(load(&key, relaxed) == 1);
  set_value(1);
  unlock(seen + version);
  return 0;
}
void* erase_and_insert(void* unused) {
  int seen = load(&state, acquire);
  if (!(seen & full) || (seen & locked) || !try_change(seen, (seen & ~full) + version)) return 0;
  seen = load(&state, relaxed);
  if (!try_lock(seen)) return 0;
  store(&key, 2, relaxed);
  set_value(2);
  unlock((seen | full) + version);
  return 0;
}
void* find(void* unused) {
  const int seen = look();
  if ((seen & full) == 0 || load(&key, relaxed) != 1) return 0;
  if ((look_again() & ~locked) != (seen & ~locked) || (seen & locked) != 0) return 0;
  const int first = load(&value[0], relaxed), second = load(&value[1], relaxed);
  const int now = look_again();
  if ((now & ~locked) == seen) assert(first != 2 && second != 2);
  if (now == seen) assert(first == (seen >= version) && second == first);
  return 0;
}

int main(void) { THREADS(update, erase_and_insert, find); }
