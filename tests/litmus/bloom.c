// SPDX-License-Identifier: BSD-3-Clause
// acre/container/bloom/detail/bloom_block.hpp
#include "litmus.h"

enum { lock = 1, bits = 6 };
atomic_int words[2];
int news[2];

void* insert(void* number) {
  int first;
  for (;;) {
    first = load(&words[0], relaxed);
    if ((first & lock) == 0 && compare_exchange(&words[0], &first, first | lock,
                                                ORDER(take_lock, acquire, relaxed), relaxed))
      break;
  }
  const int second = load(&words[1], relaxed);
  if (second != bits) store(&words[1], bits, release);
  store(&words[0], first | bits, ORDER(unlock, release, relaxed));
  news[(long)number] = second != bits;
  return 0;
}

int main(void) {
  THREADS(insert, insert);
  assert(news[0] + news[1] == 1);
}
