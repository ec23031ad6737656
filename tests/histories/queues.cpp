// SPDX-License-Identifier: BSD-3-Clause
// Histories of full and empty queues, with counter wrap-around.
#include "numbered.hpp"
#include "trial.hpp"
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/fast_queue.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace histories {
namespace {

std::uint64_t fresh_numbers(std::uint64_t& next) {
  next += 8;
  return next * acre::size() * 8 + acre::rank() * 8;
}

template <class Queue>
void push(trial& round, Queue& values, std::uint64_t& next) {
  using T = typename Queue::value_type;
  const std::uint64_t number = round.alone(4) == 0 ? 1 + round.alone(5) : 1;
  const event planned{.what = action::push, .argument = fresh_numbers(next), .expected = number};
  round.records().record(planned, [&](event& each) {
    bool had_room = false;
    if (number == 1) {
      had_room = values.push(numbered<T>::make(each.argument));
    } else {
      std::vector<T> many;
      for (std::uint64_t i = 0; i < number; ++i)
        many.push_back(numbered<T>::make(each.argument + i));
      had_room = values.push(std::span<const T>(many));
    }
    each.result = had_room ? answer::yes : answer::no;
  });
}

template <class Queue>
void pop(trial& round, Queue& values) {
  using T = typename Queue::value_type;
  round.records().record({.what = action::pop}, [&](event& each) {
    const std::optional<T> value = values.pop();
    each.result = value ? answer::yes : answer::no;
    each.has_value = value.has_value();
    if (value) each.value = numbered<T>::number(*value);
  });
}

struct queue_plan {
  std::uint64_t capacity;
  acre::hosted_by host;
  acre::queue_totals before;
};
queue_plan plan_queue(trial& round) {
  const auto any_rank = [&] {
    return acre::hosted_by{static_cast<acre::rank_t>(round.together(acre::size()))};
  };
  const std::uint64_t capacity = 1 + round.together(round.together(2) == 0 ? 3 : 40);
  const std::uint64_t before = std::uint64_t{0} - round.together(60);
  return {capacity, any_rank(), {.pushed = before, .popped = before}};
}

template <class T>
bool run_queue(trial& round) {
  const queue_plan plan = plan_queue(round);
  acre::circular_queue<T> values(acre::world(), plan.host, plan.capacity, plan.before);
  std::uint64_t next = 0;
  for (int phase = 0; phase < 2; ++phase) {
    const int operations = round.operations(15);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      if (round.alone(2) == 0) {
        push(round, values, next);
      } else {
        pop(round, values);
      }
    }
    if (round.together(2) == 0) {
      values.migrate({static_cast<acre::rank_t>(round.together(acre::size()))});
    }
  }
  acre::barrier();
  return round.explains<queue>({.capacity = plan.capacity});
}

/// Too many operations for a search: why_no_queue() judges.
bool run_busy_queue(trial& round) {
  const queue_plan plan = plan_queue(round);
  acre::circular_queue<std::uint64_t> values(acre::world(), plan.host, plan.capacity, plan.before);
  std::uint64_t next = 0;
  for (int left = round.operations(300); left > 0; --left) {
    round.dawdle();
    if (round.alone(2) == 0) {
      push(round, values, next);
    } else {
      pop(round, values);
    }
  }
  acre::barrier();
  if (acre::rank() == 0) {
    do {
      pop(round, values);
    } while (round.records().last().has_value);
  }
  // Detects lost values.
  return round.accepts([&](const std::vector<event>& all) {
    const std::string complaint = why_no_queue(all, plan.capacity);
    if (!complaint.empty()) std::fprintf(stderr, "  %s\n", complaint.c_str());
    return complaint.empty();
  });
}

template <class T>
bool run_fast_queue(trial& round) {
  const queue_plan plan = plan_queue(round);
  acre::fast_queue<T> values(acre::world(), plan.host, plan.capacity, plan.before);
  std::uint64_t next = 0;
  for (int phase = 0; phase < 4; ++phase) {
    const int operations = round.operations(9);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      if (phase % 2 == 0) {
        push(round, values, next);
      } else {
        pop(round, values);
      }
    }
    acre::barrier();
  }
  return round.explains<queue>({.capacity = plan.capacity});
}

}  // namespace

std::vector<subject> queue_subjects() {
  using number = std::uint64_t;
  return {{"circular_queue of words", run_queue<number>},
          {"circular_queue of wide values", run_queue<std::array<number, 512>>},
          {"circular_queue of texts", run_queue<std::string>},
          {"circular_queue, long", run_busy_queue},
          {"fast_queue of words", run_fast_queue<number>},
          {"fast_queue of texts", run_fast_queue<std::string>}};
}

}  // namespace histories
