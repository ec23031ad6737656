// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/detail/node_link.cpp: arrivals counted.
#include "litmus.h"

#define RANKS 3
atomic_int arrived, released;
int data[RANKS];

void* rank(void* number) {
  data[(long)number] = 1;
  if (fetch_add(&arrived, 1, ORDER(arrive, seq_cst, relaxed)) + 1 == RANKS) {
    exchange(&released, 1, ORDER(release, seq_cst, relaxed));
  } else {
    while (load(&released, ORDER(reached, acquire, relaxed)) != 1) {
    }
  }
  for (int i = 0; i < RANKS; ++i) assert(data[i] == 1);
  return 0;
}

int main(void) { THREADS(rank, rank, rank); }
