// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/detail/node_link.cpp: awaits readers.
#include "litmus.h"

#define SLOTS 2
struct {
  atomic_int exchange;
  int data;
} held[SLOTS];
atomic_int done;

void* root(void* unused) {
  for (int e = 1; e <= 3; ++e) {
    while (load(&done, ORDER(readers, acquire, relaxed)) < e - SLOTS) {
    }
    held[e % SLOTS].data = e;
    store(&held[e % SLOTS].exchange, e, release);
  }
  return 0;
}
void* reader(void* unused) {
  for (int e = 1; e <= 3; ++e) {
    while (load(&held[e % SLOTS].exchange, acquire) < e) {
    }
    assert(held[e % SLOTS].data == e);
    store(&done, e, ORDER(done, release, relaxed));
  }
  return 0;
}

int main(void) { THREADS(root, reader); }
