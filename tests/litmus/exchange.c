// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/detail/node_link.cpp: each rank reads all.
#include "litmus.h"

#define SLOTS 2
struct {
  atomic_int exchange;
  int data;
} held[2][SLOTS];

void* rank(void* number) {
  const int place = (long)number;
  for (int e = 1; e <= 3; ++e) {
    held[place][e % SLOTS].data = e;
    store(&held[place][e % SLOTS].exchange, e, ORDER(publish, release, relaxed));
    while (load(&held[1 - place][e % SLOTS].exchange, ORDER(reached, acquire, relaxed)) < e) {
    }
    assert(held[1 - place][e % SLOTS].data == e);
  }
  return 0;
}

int main(void) { THREADS(rank, rank); }
