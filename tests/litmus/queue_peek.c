// SPDX-License-Identifier: BSD-3-Clause
// acre/container/queue/detail/queue_ring.hpp: peek().
#include "litmus.h"

atomic_long popped, turn = 1, value[2] = {1, 1};

void* popper(void* unused) {
  long first = 0;
  compare_exchange(&popped, &first, 1, seq_cst, seq_cst);
  store(&turn, 2, ORDER(free, release, relaxed));
  return 0;
}
void* pusher(void* unused) {
  if (load(&turn, ORDER(await_free, acquire, relaxed)) != 2) return 0;
  fence(ORDER(fill, release, relaxed));
  store(&value[0], 2, relaxed);
  store(&value[1], 2, relaxed);
  store(&turn, 3, ORDER(there, release, relaxed));
  return 0;
}
void* peeker(void* unused) {
  const long place = load(&popped, seq_cst);
  if (load(&turn, ORDER(look, acquire, relaxed)) != (place << 1 | 1)) return 0;
  const long first = load(&value[0], relaxed), second = load(&value[1], relaxed);
  fence(ORDER(peek, acquire, relaxed));
  if (load(&popped, seq_cst) == place) assert(first == place + 1 && second == place + 1);
  return 0;
}

int main(void) { THREADS(popper, pusher, peeker); }
