// SPDX-License-Identifier: BSD-3-Clause
// Instruction budgets of object lookups and calls.
#include <acre/objects.hpp>

#include "budget.hpp"

#include <gtest/gtest.h>

namespace {

using budgets::expect_within;
using budgets::instruction_trace;

struct cell {
  long sum = 0;
  long add(long more) { return sum += more; }
  friend auto acre_fields(cell& c) { return std::tie(c.sum); }
};
using cell_id = acre::object_id<cell>;

bool sink = false;

[[gnu::noinline]] void empty(cell_id, long) { asm volatile(""); }
[[gnu::noinline]] void look(cell_id c, long) { sink = acre::is_here(c); }
[[gnu::noinline]] void pin(cell_id c, long) {
  const acre::pinned<cell> here(c);
  sink = bool(here);
}

TEST(ObjectBudget, ALookForALocalObjectTakesFortyInstructions) {
  instruction_trace trace;
  const cell_id mine = acre::create_id_here<cell>();
  const cell_id guest = acre::create_id<cell>((acre::rank() + 1) % acre::size()).get();
  acre::migrate(guest, acre::rank()).get();
  look(mine, 0);
  pin(guest, 0);
  expect_within({"acre::is_here", 40}, "made here", trace.cost(look, empty, mine, 1L));
  expect_within({"acre::is_here", 40}, "has come here", trace.cost(look, empty, guest, 1L));
  acre::destroy(mine).get();
  acre::destroy(guest).get();
  acre::barrier();
}

}  // namespace
