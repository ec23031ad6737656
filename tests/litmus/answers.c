// SPDX-License-Identifier: BSD-3-Clause
// acre/runtime/posted.cpp: one operation refused, one under way.
#include "litmus.h"

atomic_int posted = 2, acknowledged, refused = 1;

void* await_quiet(void* unused) {
  const int moved = exchange(&refused, 0, relaxed);
  fetch_add(&acknowledged, moved, ORDER(move, release, relaxed));
  return 0;
}
void* posted_under_way(void* unused) {
  int answered = load(&acknowledged, ORDER(sum, acquire, relaxed));
  answered += load(&refused, acquire);
  assert(load(&posted, relaxed) - answered >= 1);
  return 0;
}

int main(void) { THREADS(await_quiet, posted_under_way); }
