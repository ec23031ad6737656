// SPDX-License-Identifier: BSD-3-Clause
// Histories of disjoint sets: few elements, spread over all ranks.
#include "trial.hpp"
#include <acre/container/sets/disjoint_set.hpp>
#include <acre/container/sets/union_find.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace histories {
namespace {

answer said(bool yes) { return yes ? answer::yes : answer::no; }

/// Bounds the search.
int operations_of(trial& round, int of_four_ranks) {
  return std::max(
      2, round.operations(of_four_ranks) * 4 / std::max(4, static_cast<int>(acre::size())));
}

/// Then calls without answers would make the search long.
bool has_many_ranks() { return acre::size() > 4; }

event random_event(trial& round, std::uint64_t elements) {
  static constexpr action actions[] = {action::unite, action::unite, action::compare,
                                       action::representative};
  return {.what = actions[round.alone(4)],
          .argument = round.alone(elements),
          .expected = round.alone(elements)};
}

/// Different elements of all parts, by rising priority: the greatest one represents its set.
std::vector<std::uint64_t> choose_elements(trial& round, std::uint64_t of, std::uint64_t count) {
  std::vector<std::uint64_t> all;
  while (all.size() < count) {
    const std::uint64_t element = round.together(of);
    if (std::ranges::find(all, element) == all.end()) all.push_back(element);
  }
  std::ranges::sort(all, acre::container::is_lower);
  return all;
}

void note(trial& round, event each, std::int64_t begin, std::int64_t end) {
  round.records().record(each, [](event&) {});
  round.records().last().begin = begin;
  round.records().last().end = end;
}

/// Each pair is a separate operation.
void unite_together(trial& round, acre::union_find& sets, const std::vector<std::uint64_t>& of) {
  std::vector<acre::union_find::edge> edges;
  std::vector<event> planned;
  const std::uint64_t number = 1 + round.alone(4);
  for (std::uint64_t i = 0; i < number; ++i) {
    planned.push_back(random_event(round, of.size()));
    planned.back().what = action::unite;
    edges.emplace_back(of[planned.back().argument], of[planned.back().expected]);
  }
  const bool answers = has_many_ranks() || round.alone(2) == 0;
  const std::int64_t begin = now();
  std::vector<bool> united;
  if (answers) {
    united = sets.unite_many(edges);
  } else {
    sets.unite_all(edges);
  }
  const std::int64_t end = now();
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (answers) planned[i].result = said(united[i]);
    note(round, planned[i], begin, end);
  }
}

void find_together(trial& round, const acre::union_find& sets,
                   const std::vector<std::uint64_t>& of) {
  const std::int64_t begin = now();
  const std::vector<std::uint64_t> roots = sets.find_many(of);
  const std::int64_t end = now();
  for (std::size_t i = 0; i < of.size(); ++i) {
    event each{.what = action::representative, .has_value = true, .argument = i};
    each.value = static_cast<std::uint64_t>(std::ranges::find(of, roots[i]) - of.begin());
    note(round, each, begin, end);
  }
}

bool run_union_find(trial& round) {
  const std::uint64_t elements = 2 + round.together(14);
  acre::union_find sets(acre::world(), std::uint64_t{64} * acre::size());
  const std::vector<std::uint64_t> of = choose_elements(round, sets.size(), elements);
  for (int phase = 0; phase < 2; ++phase) {
    const int operations = operations_of(round, 9);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      switch (round.alone(10)) {
        case 0:
          unite_together(round, sets, of);
          continue;
        case 1:
          find_together(round, sets, of);
          continue;
        default:
          break;
      }
      round.records().record(random_event(round, elements), [&](event& each) {
        const std::uint64_t one = of[each.argument];
        const std::uint64_t other = of[each.expected];
        if (each.what == action::unite) {
          each.result = said(sets.unite(one, other));
        } else if (each.what == action::compare) {
          each.result = said(sets.are_together(one, other));
        } else {
          each.value =
              static_cast<std::uint64_t>(std::ranges::find(of, sets.find(one)) - of.begin());
          each.has_value = true;
        }
      });
    }
    if (round.together(2) == 0) sets.compress();
  }
  acre::barrier();
  return round.explains<partition>();
}

/// The representative of keys depends on their order, so it is not compared.
bool run_disjoint_set(trial& round) {
  const std::uint64_t elements = 2 + round.together(14);
  acre::disjoint_set<std::string> sets(acre::world(), 16);
  const std::uint64_t first = round.together(1'000'000);
  const auto key = [&](std::uint64_t number) { return std::to_string(first + number); };
  const int operations = operations_of(round, 16);
  for (int i = 0; i < operations; ++i) {
    round.dawdle();
    round.records().record(random_event(round, elements), [&](event& each) {
      const std::string one = key(each.argument);
      const std::string other = key(each.expected);
      if (each.what == action::unite && !has_many_ranks() && round.alone(3) == 0) {
        sets.unite_all(std::vector{std::pair(one, other)});
      } else if (each.what == action::unite) {
        each.result = said(sets.unite(one, other));
      } else {
        each.what = action::compare;
        each.result = said(sets.are_together(one, other));
      }
    });
  }
  acre::barrier();
  return round.explains<partition>();
}

}  // namespace

std::vector<subject> set_subjects() {
  return {{"union_find", run_union_find}, {"disjoint_set", run_disjoint_set}};
}

}  // namespace histories
