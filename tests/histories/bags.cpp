// SPDX-License-Identifier: BSD-3-Clause
// Histories of bags and tagged bags.
#include "conservation.hpp"
#include "map_operations.hpp"
#include "numbered.hpp"
#include "trial.hpp"
#include <acre/array/array.hpp>
#include <acre/container/bag/bag.hpp>
#include <acre/container/bag/tagged_bag.hpp>
#include <acre/global/memory/atomic.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace histories {
namespace {

template <class T>
void take_one(trial& round, acre::bag<T>& values) {
  round.records().record({.what = action::pop}, [&](event& each) {
    const auto value = values.take();
    each.has_value = value.has_value();
    if (value) each.value = numbered<T>::number(*value);
  });
}

/// Few ranks insert; rebalancing moves values to the others.
template <class T>
bool run_bag(trial& round) {
  acre::bag<T> values(acre::world());
  std::uint64_t next = 0;
  bool is_fair = true;
  for (int phase = 0; phase < 4; ++phase) {
    const std::uint64_t pushes = round.alone(2) == 0 ? 0 : round.alone(40);
    for (std::uint64_t i = 0; i < pushes; ++i) {
      const std::uint64_t number = next++ * acre::size() + acre::rank();
      round.records().record({.what = action::push, .argument = number},
                             [&](event&) { values.insert(numbered<T>::make(number)); });
    }
    values.rebalance();
    const auto counts = acre::world().allgather(values.local().size());
    is_fair &= std::ranges::max(counts) - std::ranges::min(counts) <= 1;
    const std::uint64_t pops = round.alone(20);
    for (std::uint64_t i = 0; i < pops; ++i) take_one(round, values);
  }
  while (!values.local().empty()) take_one(round, values);
  return round.accepts(keeps_all_values) && is_fair;
}

/// Ranks publish the tags of their elements, also of erased ones.
template <class T>
bool run_tagged_bag(trial& round) {
  constexpr std::uint64_t most = 32;
  acre::tagged_bag<T> values(acre::world(), 8);
  acre::array<std::uint64_t> tags(acre::world(), most * acre::size());
  std::uint64_t inserted = 0;
  const int operations = round.operations(60);
  for (int i = 0; i < operations; ++i) {
    round.dawdle();
    if (inserted < most && round.alone(3) == 0) {
      const std::uint64_t number = 1 + round.alone(1000);
      round.records().record({.what = action::insert, .argument = number}, [&](event& each) {
        each.key = values.insert(numbered<T>::make(number));
        each.result = answer::yes;
      });
      acre::atomic_store(tags.pointer(acre::rank() * most + inserted++),
                         round.records().last().key + 1);
      continue;
    }
    const std::uint64_t tag = acre::atomic_load(tags.pointer(round.alone(tags.size())));
    if (tag == 0) continue;
    static constexpr action actions[] = {action::find, action::find, action::contains,
                                         action::erase};
    round.records().record({.what = actions[round.alone(4)], .key = tag - 1}, [&](event& each) {
      if (each.what == action::erase) {
        each.result = said(values.erase(each.key));
      } else if (each.what == action::contains) {
        each.result = said(values.contains(each.key));
      } else {
        note_found(each,
                   round.alone(3) == 0 ? values.find_async(each.key).get() : values.find(each.key));
      }
    });
  }
  acre::barrier();
  return round.explains<key_of_map>();
}

}  // namespace

std::vector<subject> bag_subjects() {
  using number = std::uint64_t;
  return {{"bag of texts", run_bag<std::string>},
          {"tagged_bag of words", run_tagged_bag<number>},
          {"tagged_bag of wide values", run_tagged_bag<std::array<number, 24>>},
          {"tagged_bag of texts", run_tagged_bag<std::string>}};
}

}  // namespace histories
