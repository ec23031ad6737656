// SPDX-License-Identifier: BSD-3-Clause
// acre/base/spin_lock.hpp
#include "litmus.h"

atomic_int held;
int guarded;

void* add(void* unused) {
  while (load(&held, relaxed) || exchange(&held, 1, ORDER(lock, acquire, relaxed))) {
  }
  ++guarded;
  store(&held, 0, ORDER(unlock, release, relaxed));
  return 0;
}

int main(void) {
  THREADS(add, add);
  assert(guarded == 2);
}
