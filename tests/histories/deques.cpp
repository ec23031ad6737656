// SPDX-License-Identifier: BSD-3-Clause
// Histories of deques, which are often empty.
#include "numbered.hpp"
#include "trial.hpp"
#include <acre/base/bits.hpp>
#include <acre/container/deque/deque.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace histories {
namespace {

template <class T>
void push(trial& round, acre::deque<T>& values, std::uint64_t first) {
  const event planned{.what = round.alone(2) == 0 ? action::push : action::push_front,
                      .argument = first,
                      .expected = round.alone(4) == 0 ? 2 + round.alone(3) : 1};
  round.records().record(planned, [&](event& each) {
    std::vector<T> all;
    for (std::uint64_t i = 0; i < each.expected; ++i) {
      all.push_back(numbered<T>::make(first + i));
    }
    if (all.size() == 1) {
      each.what == action::push ? values.push_back(all[0]) : values.push_front(all[0]);
    } else {
      each.what == action::push ? values.push_back(all) : values.push_front(all);
    }
  });
}

template <class T>
void pop(trial& round, acre::deque<T>& values) {
  const event planned{.what = round.alone(2) == 0 ? action::pop : action::pop_back,
                      .has_value = true,
                      .expected = round.alone(4) == 0 ? 2 + round.alone(3) : 1};
  round.records().record(planned, [&](event& each) {
    value_digest all;
    const bool at_front = each.what == action::pop;
    if (each.expected == 1) {
      const auto value = at_front ? values.pop_front() : values.pop_back();
      if (value) all.add(numbered<T>::number(*value));
    } else {
      const auto popped =
          at_front ? values.pop_front_some(each.expected) : values.pop_back_some(each.expected);
      for (const T& value : popped) all.add(numbered<T>::number(value));
    }
    each.value = all.sum();
  });
}

template <class T>
void look(trial& round, acre::deque<T>& values) {
  const bool counts = round.alone(2) == 0;
  round.records().record({.what = counts ? action::count : action::find,
                          .has_value = counts,
                          .expected = round.alone(2)},
                         [&](event& each) {
                           if (counts) {
                             each.value = values.size();
                             return;
                           }
                           const auto value =
                               each.expected == 0 ? values.peek_front() : values.peek_back();
                           each.has_value = value.has_value();
                           if (value) each.value = numbered<T>::number(*value);
                         });
}

template <class T>
bool run_deque(trial& round) {
  acre::deque<T> values(acre::world(), {static_cast<acre::rank_t>(round.together(acre::size()))});
  std::uint64_t next = 0;
  // One history of all ranks: the search grows with the number of calls at once.
  const int operations = round.operations(acre::smaller(24, 96 / static_cast<int>(acre::size())));
  for (int i = 0; i < operations; ++i) {
    round.dawdle();
    switch (round.alone(5)) {
      case 0:
      case 1:
        next += 8;
        push(round, values, next * acre::size() + acre::rank() * 8);
        break;
      case 2:
      case 3:
        pop(round, values);
        break;
      default:
        look(round, values);
    }
  }
  acre::barrier();
  return round.explains<double_ended>();
}

}  // namespace

std::vector<subject> deque_subjects() {
  using number = std::uint64_t;
  return {{"deque of words", run_deque<number>},
          {"deque of wide values", run_deque<std::array<number, 512>>},
          {"deque of texts", run_deque<std::string>}};
}

}  // namespace histories
