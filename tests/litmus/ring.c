// SPDX-License-Identifier: BSD-3-Clause
// acre/fabric/smp_ring.hpp: one and two cells, a skip, two laps.
#include "litmus.h"

#define CELLS 4
enum { parity = 1, skip = 2, two_cells = 4, value_shift = 3 };

struct cell {
  atomic_long first;
  int body;
};
struct cell cells[CELLS];
atomic_long tail, head;

long parity_of(long position) { return position / CELLS % 2 == 0 ? parity : 0; }
int is_published(long first, long position) { return (first & parity) == parity_of(position); }

void publish(long position, long header) {
  store(&cells[position % CELLS].first, header | parity_of(position),
        ORDER(publish, release, relaxed));
}

void await_room(long* seen_head, long end) {
  if (end - *seen_head <= CELLS) return;
  *seen_head = load(&head, ORDER(has_room, acquire, relaxed));
  assume(end - *seen_head <= CELLS);
}

void push(long* seen_head, long needed, long value) {
  long position = load(&tail, relaxed), skipped;
  for (;;) {
    long to_end = CELLS - position % CELLS;
    skipped = needed > to_end ? to_end : 0;
    await_room(seen_head, position + skipped + needed);
    if (compare_exchange(&tail, &position, position + skipped + needed, relaxed, relaxed)) break;
  }
  if (skipped != 0) publish(position, skip);
  position += skipped;
  cells[position % CELLS].body = value;
  if (needed == 2) {
    store(&cells[(position + 1) % CELLS].first, value << 1 | parity_of(position + 1 + CELLS),
          relaxed);
    cells[(position + 1) % CELLS].body = value;
  }
  publish(position, value << value_shift | (needed == 2 ? two_cells : 0));
}

long next;

long first_word(long position) {
  return load(&cells[position % CELLS].first, ORDER(first_word, acquire, relaxed));
}

void release_cells(long begin, long count) {
  for (long i = begin + 1; i < begin + count; ++i)
    store(&cells[i % CELLS].first, parity_of(begin), relaxed);
  next = begin + count;
  store(&head, next, ORDER(head, release, relaxed));
}

long pop(void) {
  long first = first_word(next);
  assume(is_published(first, next));
  if (first & skip) {
    release_cells(next, CELLS - next % CELLS);
    first = first_word(next);
    assume(is_published(first, next));
  }
  const long value = first >> value_shift, begin = next;
  assert(cells[begin % CELLS].body == value);
  if (first & two_cells) {
    struct cell* second = &cells[(begin + 1) % CELLS];
    assert(load(&second->first, relaxed) >> 1 == value && second->body == value);
  }
  release_cells(begin, first & two_cells ? 2 : 1);
  return value;
}

void* first_producer(void* unused) {
  long seen_head = 0;
  push(&seen_head, 2, 1);
  push(&seen_head, 2, 2);
  return 0;
}
void* second_producer(void* unused) {
  long seen_head = 0;
  push(&seen_head, 1, 4);
  return 0;
}
void* consumer(void* unused) {
  const long a = pop(), b = pop(), c = pop();
  assert(a + b + c == 7);
  return 0;
}

int main(void) { THREADS(first_producer, second_producer, consumer); }
