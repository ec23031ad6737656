// SPDX-License-Identifier: BSD-3-Clause
// acre/global/memory/put_signal.hpp, acre/runtime/put_message.cpp
#include "litmus.h"

int data[2];
atomic_int signal_word;

void* put_and_set(void* unused) {
  data[0] = 1;
  store(&signal_word, 1, ORDER(set, release, relaxed));
  return 0;
}
void* put_and_add(void* unused) {
  while (load(&signal_word, acquire) == 0) {
  }
  data[1] = 1;
  fetch_add(&signal_word, 1, ORDER(add, seq_cst, acquire));
  return 0;
}
void* reader(void* unused) {
  const int seen = load(&signal_word, ORDER(read, seq_cst, relaxed));
  if (seen >= 1) assert(data[0] == 1);
  if (seen == 2) assert(data[1] == 1);
  return 0;
}

int main(void) { THREADS(put_and_set, put_and_add, reader); }
