// SPDX-License-Identifier: BSD-3-Clause
// acre/fabric/smp_blocks.hpp
#include "litmus.h"

atomic_int busy;
int body;
atomic_int ring[2];

void* sender(void* unused) {
  for (int i = 0; i < 2; ++i) {
    for (;;) {
      int free = 0;
      if (load(&busy, relaxed) == 0 &&
          compare_exchange(&busy, &free, 1, ORDER(try_take, acquire, relaxed), relaxed))
        break;
    }
    body = i + 1;
    store(&ring[i], 1, ORDER(publish, release, relaxed));
  }
  return 0;
}
void* receiver(void* unused) {
  for (int i = 0; i < 2; ++i) {
    while (load(&ring[i], acquire) == 0) {
    }
    assert(body == i + 1);
    store(&busy, 0, ORDER(give_back, release, relaxed));
  }
  return 0;
}

int main(void) { THREADS(sender, receiver); }
