// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/detail/call_tally.hpp
#include "litmus.h"

atomic_int sent, done, message;

void* sender(void* unused) {
  store(&sent, load(&sent, relaxed) + 1, release);
  store(&message, 1, ORDER(send, release, relaxed));
  return 0;
}
void* receiver(void* unused) {
  while (load(&message, acquire) == 0) {
  }
  store(&done, load(&done, relaxed) + 1, ORDER(done, release, relaxed));
  return 0;
}
void* two_rounds(void* unused) {
  const int seen = load(&done, ORDER(sum, acquire, relaxed));
  assert(load(&sent, acquire) >= seen);
  return 0;
}

int main(void) { THREADS(sender, receiver, two_rounds); }
