// SPDX-License-Identifier: BSD-3-Clause
// Histories of Bloom filters with improbable false positives.
#include "trial.hpp"
#include <acre/container/bloom/bloom_filter.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace histories {
namespace {

answer said(bool yes) { return yes ? answer::yes : answer::no; }

bool run_filter(trial& round) {
  // Blocks of 64 to 512 bits.
  static constexpr std::array rates{1e-2, 1e-3, 1e-4, 1e-6};
  acre::bloom_filter<std::uint64_t> filter(acre::world(), 100'000, rates[round.together(4)]);
  const std::uint64_t items = 1 + round.together(10);
  const std::uint64_t first = round.together(1'000'000'000);
  const int operations = round.operations(30);
  for (int i = 0; i < operations; ++i) {
    round.dawdle();
    const event planned{.what = round.alone(2) == 0 ? action::insert : action::find,
                        .key = first + round.alone(items)};
    round.records().record(planned, [&](event& each) {
      each.result =
          said(each.what == action::insert ? filter.insert(each.key) : filter.find(each.key));
    });
  }
  acre::barrier();
  return round.explains<item_of_filter>();
}

}  // namespace

std::vector<subject> filter_subjects() { return {{"bloom_filter", run_filter}}; }

}  // namespace histories
