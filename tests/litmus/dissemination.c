// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/detail/node_link.cpp
#include "litmus.h"

#define RANKS 3
#define ROUNDS 2
atomic_int rounds[RANKS][ROUNDS];
int data[RANKS];

void disseminate(int place, int epoch) {
  for (int round = 0; round < ROUNDS; ++round) {
    exchange(&rounds[(place + (1 << round)) % RANKS][round], epoch, ORDER(tell, seq_cst, relaxed));
    while (load(&rounds[place][round], ORDER(reached, acquire, relaxed)) < epoch) {
    }
  }
}

void* rank(void* number) {
  const int place = (long)number;
  data[place] = 1;
  disseminate(place, 1);
  for (int i = 0; i < RANKS; ++i) assert(data[i] == 1);
  disseminate(place, 2);
  data[place] = 2;
  return 0;
}

int main(void) { THREADS(rank, rank, rank); }
