// SPDX-License-Identifier: BSD-3-Clause
// capi/gasnet/polling.hpp
#include "litmus.h"

atomic_int depth, stopper;
int job = 1;

void* call(void* unused) {
  exchange(&depth, 1, ORDER(enter, seq_cst, acq_rel));
  if (load(&stopper, ORDER(look, seq_cst, acquire)) == 0) assert(job == 1);
  store(&depth, 0, ORDER(leave, release, relaxed));
  return 0;
}
void* stop_others(void* unused) {
  store(&stopper, 1, ORDER(stop, seq_cst, release));
  if (load(&depth, ORDER(are_out, seq_cst, acquire)) == 0) job = 0;
  return 0;
}

int main(void) { THREADS(call, stop_others); }
