// SPDX-License-Identifier: BSD-3-Clause
// capi/gasnet/barrier.cpp: another thread polls while one waits and notifies again.
#include "litmus.h"

#define ROUNDS 1
atomic_int open, over, advancing, slots[2];
int phase, round_number, heard;

void notify(void) {
  ++phase;
  round_number = 0;
  heard = 0;
  store(&over, 0, ORDER(not_over, release, relaxed));
  store(&open, 1, ORDER(open, release, relaxed));
}

int advance(void) {
  if (load(&over, ORDER(over, acquire, relaxed))) return 1;
  if (exchange(&advancing, 1, ORDER(take, acquire, relaxed))) return 0;
#ifndef WEAKEN_look_again
  const int was_over = load(&over, ORDER(was_over, acquire, relaxed));
#else
  const int was_over = 0;
#endif
  int arrived = !was_over && load(&open, ORDER(is_open, acquire, relaxed));
  while (arrived && round_number < ROUNDS) {
    arrived = load(&slots[phase % 2], acquire) == phase;
    if (!arrived) break;
    heard = phase;
    ++round_number;
  }
  if (arrived) store(&over, 1, ORDER(end, release, relaxed));
  store(&advancing, 0, ORDER(leave, release, relaxed));
  return arrived || was_over;
}

void* partner(void* unused) {
  store(&slots[1], 1, release);
  store(&slots[0], 2, release);
  return 0;
}
void* poll(void* unused) {
  for (int i = 0; i < 2; ++i)
    if (load(&open, relaxed) && !load(&over, relaxed)) advance();
  return 0;
}
void* wait_twice(void* unused) {
  for (int i = 1; i <= 2; ++i) {
    notify();
    assume(advance());
    assert(heard == i);
    store(&open, 0, relaxed);
  }
  return 0;
}

int main(void) { THREADS(partner, poll, wait_twice); }
