// SPDX-License-Identifier: BSD-3-Clause
// Histories of array words under atomics.
#include "trial.hpp"
#include <acre/array/array.hpp>
#include <acre/global/memory/atomic.hpp>

#include <cstdint>

namespace histories {
namespace {

bool run_atomics(trial& round) {
  const std::uint64_t words = 1 + round.together(8);
  acre::array<std::uint64_t> array(acre::world(), words);
  const int operations = round.operations(60);
  for (int i = 0; i < operations; ++i) {
    round.dawdle();
    static constexpr action actions[] = {action::find, action::store, action::add, action::exchange,
                                         action::compare_exchange};
    const event planned{.what = actions[round.alone(5)],
                        .key = round.alone(words),
                        .argument = 1 + round.alone(3),
                        .expected = round.alone(4)};
    round.records().record(planned, [&](event& each) {
      const auto target = array.pointer(each.key);
      each.has_value = each.what != action::store;
      switch (each.what) {
        case action::find:
          each.value = acre::atomic_load(target);
          break;
        case action::store:
          acre::atomic_store(target, each.argument);
          break;
        case action::add:
          each.value = acre::fetch_add(target, each.argument);
          break;
        case action::exchange:
          each.value = acre::atomic_exchange(target, each.argument);
          break;
        default:
          each.value = acre::atomic_compare_exchange(target, each.expected, each.argument);
      }
    });
  }
  acre::barrier();
  return round.explains<word>();
}

}  // namespace

std::vector<subject> array_subjects() { return {{"array of words", run_atomics}}; }

}  // namespace histories
