// SPDX-License-Identifier: BSD-3-Clause
// acre/runtime/wait.cpp. After a missed sleeper only the time-out ends its sleep.
#include "litmus.h"

atomic_int message, bell, sleepers = 1, asleep = 1;
pthread_mutex_t kernel;
int in_kernel, rang;

void futex_wait(int seen) {
  pthread_mutex_lock(&kernel);
  if (load(&bell, relaxed) == seen) in_kernel = 1;
  pthread_mutex_unlock(&kernel);
}
void futex_wake(void) {
  pthread_mutex_lock(&kernel);
  in_kernel = 0;
  pthread_mutex_unlock(&kernel);
}

void* waiter(void* unused) {
#ifndef WEAKEN_seen_first
  const int seen = load(&bell, ORDER(seen, acquire, relaxed));
#endif
  fetch_add(&sleepers, 1, seq_cst);
  fetch_add(&asleep, 1, seq_cst);
  const int has_work = load(&message, acquire);
#ifdef WEAKEN_seen_first
  const int seen = load(&bell, acquire);
#endif
  if (!has_work) futex_wait(seen);
  return 0;
}
void* sender(void* unused) {
  store(&message, 1, release);
  if (load(&sleepers, relaxed) == 0 || load(&asleep, relaxed) == 0) return 0;
  fetch_add(&bell, 1, ORDER(ring_bell, release, relaxed));
  futex_wake();
  rang = 1;
  return 0;
}

int main(void) {
#ifdef WEAKEN_time_out
  store(&sleepers, 0, relaxed);
  store(&asleep, 0, relaxed);
#endif
  THREADS(waiter, sender);
#ifdef WEAKEN_time_out
  assert(!in_kernel);
#endif
  assert(!rang || !in_kernel);
}
