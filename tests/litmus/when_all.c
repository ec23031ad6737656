// SPDX-License-Identifier: BSD-3-Clause
// acre/global/future/detail/future_join.hpp
#include "litmus.h"

enum { pending, ready, attached };
atomic_int words[2], missing = 3;
int values[2], collected;

void arrive(void) {
  if (fetch_sub(&missing, 1, ORDER(arrive, acq_rel, relaxed)) != 1) return;
  assert(values[0] == 1 && values[1] == 1);
  ++collected;
}

void* fulfil(void* number) {
  values[(long)number] = 1;
  if (exchange(&words[(long)number], ready, acq_rel) == attached) arrive();
  return 0;
}
void* start(void* unused) {
  for (int i = 0; i < 2; ++i) {
    int expected = pending;
    if (!compare_exchange(&words[i], &expected, attached, acq_rel, acquire))
      fetch_sub(&missing, 1, relaxed);
  }
  arrive();
  return 0;
}

int main(void) {
  THREADS(fulfil, fulfil, start);
  assert(collected == 1);
}
