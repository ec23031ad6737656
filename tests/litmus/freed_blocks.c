// SPDX-License-Identifier: BSD-3-Clause
// acre/runtime/memory.cpp
#include "litmus.h"

struct block {
  int next;
} blocks[3];
atomic_int freed;

void free_private_of(int block) {
  int next = load(&freed, relaxed);
  do {
    blocks[block].next = next;
  } while (!compare_exchange(&freed, &next, block, ORDER(free, release, relaxed), relaxed));
}

int reclaimed;
void reclaim_freed(void) {
  if (load(&freed, relaxed) == 0) return;
  for (int block = exchange(&freed, 0, ORDER(reclaim, acquire, relaxed)); block != 0; ++reclaimed) {
    const int next = blocks[block].next;
    blocks[block].next = -1;
    block = next;
  }
}

void* first(void* unused) {
  free_private_of(1);
  return 0;
}
void* second(void* unused) {
  free_private_of(2);
  return 0;
}
void* owner(void* unused) {
  reclaim_freed();
  return 0;
}

int main(void) {
  THREADS(first, second, owner);
  reclaim_freed();
  assert(reclaimed == 2);
}
