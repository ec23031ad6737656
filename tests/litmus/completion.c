// SPDX-License-Identifier: BSD-3-Clause
// acre/runtime/completion.hpp
#include "litmus.h"

enum { pending, done, abandoned };
atomic_int how_far;
int outcome, room, freed;

void free_record(void) {
  outcome = room = -1;
  ++freed;
}

void* complete(void* unused) {
  outcome = 1;
  if (exchange(&how_far, done, ORDER(complete, acq_rel, acquire)) == abandoned) free_record();
  return 0;
}
void* wait(void* unused) {
  room = 1;
  if (load(&how_far, ORDER(is_done, acquire, relaxed)) == done) {
    assert(outcome == 1);
    free_record();
  } else if (exchange(&how_far, abandoned, ORDER(leave, acq_rel, relaxed)) == done) {
    free_record();
  }
  return 0;
}

int main(void) {
  THREADS(complete, wait);
  assert(freed == 1);
}
