// SPDX-License-Identifier: BSD-3-Clause
// acre/container/queue/detail/queue_ends.hpp
#define CAPACITY 2
#include "queue_order.h"

struct ends one, ends[2];
int found[2];

void* push_two_and_pop(void* unused) {
  reserve_push(&one);
  reserve_push(&one);
  reserve_pop(&one);
  return 0;
}
void* pop(void* unused) {
  const long place = reserve_pop(&one);
  assert(place >= 0 || place == -1);
  return 0;
}

void* push_and_pop(void* number) {
  const int mine = (long)number;
  assert(reserve_push(&ends[mine]) == 0);
  found[mine] = reserve_pop(&ends[1 - mine]) >= 0;
  return 0;
}

int main(void) {
  THREADS(push_two_and_pop, pop);
  THREADS(push_and_pop, push_and_pop);
  assert(found[0] || found[1]);
}
