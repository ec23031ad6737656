// SPDX-License-Identifier: BSD-3-Clause
// acre/container/queue/detail/queue_ring.hpp
#define CAPACITY 1
#include "queue_order.h"

struct ends ends;
struct {
  atomic_long turn;
  long value;
} slots[CAPACITY];

long free_turn(long place) { return place / CAPACITY << 1; }

void push(long value) {
  const long place = reserve_push(&ends);
  assume(place >= 0);
  while (load(&slots[place % CAPACITY].turn, ORDER(await_free, acquire, relaxed)) !=
         free_turn(place)) {
  }
  slots[place % CAPACITY].value = value;
  store(&slots[place % CAPACITY].turn, free_turn(place) | 1, ORDER(there, release, relaxed));
}
long pop(void) {
  const long place = reserve_pop(&ends);
  assume(place >= 0);
  while (load(&slots[place % CAPACITY].turn, ORDER(await_there, acquire, relaxed)) !=
         (free_turn(place) | 1)) {
  }
  const long value = slots[place % CAPACITY].value;
  store(&slots[place % CAPACITY].turn, free_turn(place + CAPACITY), ORDER(free, release, relaxed));
  return value;
}

void* pusher(void* number) {
  push((long)number + 1);
  return 0;
}
void* popper(void* unused) {
  assert(pop() + pop() == 3);
  return 0;
}

int main(void) { THREADS(pusher, pusher, popper); }
