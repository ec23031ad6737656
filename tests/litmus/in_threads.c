// SPDX-License-Identifier: BSD-3-Clause
// acre/algorithm/detail/in_threads.cpp
#include "litmus.h"

atomic_int call, unfinished;
int part, result;

void* run(void* unused) {
  for (int number = 1; number <= 2; ++number) {
    part = number;
    store(&unfinished, 1, relaxed);
    store(&call, number, ORDER(call, release, relaxed));
    while (load(&unfinished, ORDER(await_end, acquire, relaxed)) != 0) {
    }
    assert(result == number);
  }
  return 0;
}
void* work(void* unused) {
  for (int number = 1; number <= 2; ++number) {
    while (load(&call, ORDER(await_call, acquire, relaxed)) != number) {
    }
    result = part;
    fetch_sub(&unfinished, 1, ORDER(end, acq_rel, relaxed));
  }
  return 0;
}

int main(void) { THREADS(run, work); }
