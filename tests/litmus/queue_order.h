// SPDX-License-Identifier: BSD-3-Clause
// acre/container/queue/detail/queue_ends.hpp
#pragma once

#include "litmus.h"

struct ends {
  atomic_long pushed, popped_seen, popped, pushed_seen;
};

// The place; -1 - place if full or empty.
long reserve(atomic_long* mine, atomic_long* other_seen, atomic_long* other, long ahead) {
  long first = load(mine, ORDER(own_end, seq_cst, relaxed));
  for (int tries = 0; tries < 2; ++tries) {
    long available = load(other_seen, relaxed) + ahead - first;
    if (available < 1 || available > CAPACITY) {
      const long now = load(other, ORDER(other_end, seq_cst, acquire));
      store(other_seen, now, relaxed);
      available = now + ahead - first;
      if (available > CAPACITY || available < 0) {
        first = load(mine, seq_cst);
        continue;
      }
      if (available == 0) return -1 - first;
    }
    if (compare_exchange(mine, &first, first + 1, ORDER(reserve, seq_cst, acq_rel), seq_cst))
      return first;
    first = load(mine, seq_cst);
  }
  assume(0);
  return 0;
}
long reserve_push(struct ends* at) {
  return reserve(&at->pushed, &at->popped_seen, &at->popped, CAPACITY);
}
long reserve_pop(struct ends* at) { return reserve(&at->popped, &at->pushed_seen, &at->pushed, 0); }
