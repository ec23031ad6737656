// SPDX-License-Identifier: BSD-3-Clause
// acre/container/queue/detail/fast_ring.hpp
#define CAPACITY 2
#include "queue_order.h"

struct ends ends;
int slots[CAPACITY];
atomic_int arrived;

void* rank(void* number) {
  slots[reserve_push(&ends)] = 1;
  fetch_add(&arrived, 1, ORDER(barrier, seq_cst, relaxed));
  while (load(&arrived, acquire) != 2) {
  }
  assert(slots[reserve_pop(&ends)] == 1);
  return 0;
}

int main(void) {
  THREADS(rank, rank);
  assert(load(&ends.popped, relaxed) == 2);
}
