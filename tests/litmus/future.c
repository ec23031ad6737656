// SPDX-License-Identifier: BSD-3-Clause
// acre/global/future/detail/future_state.hpp
#include "litmus.h"

enum { pending, ready, attached };
atomic_int word;
int value, operand, runs;

void run_continuation(void) {
  assert(value == 1 && operand == 1);
  ++runs;
}

void* fulfil(void* unused) {
  value = 1;
  if (exchange(&word, ready, ORDER(mark_ready, acq_rel, relaxed)) == attached) run_continuation();
  return 0;
}
void* then(void* unused) {
  operand = 1;
  int expected = pending;
  if (!compare_exchange(&word, &expected, attached, ORDER(try_attach, acq_rel, relaxed), acquire))
    run_continuation();
  return 0;
}

int main(void) {
  THREADS(fulfil, then);
  assert(runs == 1);
}
