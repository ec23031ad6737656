// SPDX-License-Identifier: BSD-3-Clause
// acre/container/hash/detail/block_chain.cpp
#include "litmus.h"

enum { none, being_made, made };
atomic_int next;
int blocks, capacity;

void* add_block(void* unused) {
  for (;;) {
    int seen = load(&next, ORDER(await_block, acquire, relaxed));
    if (seen > being_made) break;
    if (seen == none && compare_exchange(&next, &seen, being_made, seq_cst, seq_cst)) {
      ++blocks;
      capacity = 1;
      store(&next, made, ORDER(add_block, release, relaxed));
      break;
    }
  }
  assert(capacity == 1 && blocks == 1);
  return 0;
}

int main(void) { THREADS(add_block, add_block); }
