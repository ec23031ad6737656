// SPDX-License-Identifier: BSD-3-Clause
// acre/global/team/detail/attendance.hpp, roll_call.cpp
#include "litmus.h"

#define KEPT 3
atomic_int entered, marks[KEPT][2];

void* enter(void* unused) {
  for (int number = 1; number <= 4; ++number) {
    store(&marks[number % KEPT][0], number, ORDER(write, release, relaxed));
    store(&marks[number % KEPT][1], number, ORDER(write_second, release, relaxed));
    store(&entered, number, ORDER(enter, release, relaxed));
  }
  return 0;
}
int is_kept(int number) {
  const int last = load(&entered, ORDER(is_kept, acquire, relaxed));
  return number <= last && last - number < KEPT - 1;
}
void* mark_of(void* unused) {
  if (!is_kept(1)) return 0;
  const int first = load(&marks[1][0], relaxed), second = load(&marks[1][1], relaxed);
  fence(ORDER(check_again, acquire, relaxed));
  if (is_kept(1)) assert(first == 1 && second == 1);
  return 0;
}

int main(void) { THREADS(enter, mark_of); }
