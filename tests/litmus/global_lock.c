// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/global_lock.cpp
#include "litmus.h"

atomic_int tail, next[3], granted[3];
int guarded;

void lock(int me) {
  store(&next[me], 0, relaxed);
  store(&granted[me], 0, relaxed);
  const int before = exchange(&tail, me, ORDER(arrive, seq_cst, relaxed));
  if (before == 0) return;
  store(&next[before], me, ORDER(tell, release, relaxed));
  while (load(&granted[me], ORDER(await_grant, acquire, relaxed)) == 0) {
  }
}
void unlock(int me) {
  if (load(&next[me], acquire) == 0) {
    int expected = me;
    if (compare_exchange(&tail, &expected, 0, ORDER(leave, seq_cst, relaxed), relaxed)) return;
    while (load(&next[me], acquire) == 0) {
    }
  }
  store(&granted[load(&next[me], acquire)], 1, ORDER(grant, release, relaxed));
}

void* once(void* unused) {
  lock(1);
  ++guarded;
  unlock(1);
  return 0;
}
void* twice(void* unused) {
  for (int i = 0; i < 2; ++i) {
    lock(2);
    ++guarded;
    unlock(2);
  }
  return 0;
}

int main(void) {
  THREADS(once, twice);
  assert(guarded == 3);
}
