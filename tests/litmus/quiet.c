// SPDX-License-Identifier: BSD-3-Clause
// acre/runtime/network_line.hpp. One put completes, one does not.
#include "litmus.h"

atomic_int issued, completed, provider;

void* put(void* unused) {
  fetch_add(&issued, 1, acq_rel);
  fetch_add(&provider, 1, acq_rel);
  return 0;
}
void* poll(void* unused) {
  const int read = load(&provider, acquire);
  store(&completed, read, ORDER(poll, release, relaxed));
  return 0;
}
void* put_and_look(void* unused) {
  fetch_add(&issued, 1, acq_rel);
  const int done = load(&completed, ORDER(is_quiet, acquire, relaxed));
  assert(done != load(&issued, acquire));
  return 0;
}

int main(void) { THREADS(put, poll, put_and_look); }
