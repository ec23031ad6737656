// SPDX-License-Identifier: BSD-3-Clause
// Necessary conditions for queue histories in near-linear time; sufficient for unbounded queues of
// distinct values (Henzinger, Sezgin, Vafeiadis, CONCUR 2013).
#pragma once

#include "history.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace histories {

/// A push adds `expected` numbers from `argument` on, or finds the queue full; a pop returns
/// `value`, or finds it empty. Other values remain.
///
/// @return the violated condition, or empty
[[nodiscard]] inline std::string why_no_queue(std::span<const event> events,
                                              std::uint64_t capacity) {
  static constexpr event never{.what = action::pop,
                               .begin = std::numeric_limits<std::int64_t>::max(),
                               .end = std::numeric_limits<std::int64_t>::max()};
  struct life {
    const event* push = nullptr;
    const event* pop = &never;
  };
  const auto named = [](std::uint64_t value) { return std::to_string(value); };

  std::map<std::uint64_t, life> lives;
  for (const event& each : events) {
    if (each.what != action::push || each.result != answer::yes) continue;
    for (std::uint64_t i = 0; i != each.expected; ++i) {
      if (!lives.emplace(each.argument + i, life{.push = &each}).second) {
        return named(each.argument + i) + " was pushed twice";
      }
    }
  }
  for (const event& each : events) {
    if (each.what != action::pop || each.result != answer::yes) continue;
    const auto at = lives.find(each.value);
    if (at == lives.end()) return "nobody pushed " + named(each.value);
    if (at->second.pop != &never) return named(each.value) + " was popped twice";
    if (each.end < at->second.push->begin) return named(each.value) + " was popped too early";
    at->second.pop = &each;
  }

  for (auto at = lives.begin(); at != lives.end(); ++at) {
    const auto after = std::next(at);
    if (after != lives.end() && after->second.push == at->second.push &&
        after->second.pop->end < at->second.pop->begin) {
      return named(after->first) + " has overtaken what came before it in one piece";
    }
  }

  // If a was pushed before the push of b began, b must not be popped before a. Only the latest
  // earlier pop matters.
  std::vector<life> by_push_end;
  for (const auto& [value, each] : lives) by_push_end.push_back(each);
  std::vector<life> by_push_begin = by_push_end;
  std::ranges::sort(by_push_end, {}, [](const life& each) { return each.push->end; });
  std::ranges::sort(by_push_begin, {}, [](const life& each) { return each.push->begin; });
  std::int64_t latest_pop = std::numeric_limits<std::int64_t>::min();
  std::size_t next = 0;
  for (const life& b : by_push_begin) {
    for (; next < by_push_end.size() && by_push_end[next].push->end < b.push->begin; ++next) {
      latest_pop = std::max(latest_pop, by_push_end[next].pop->begin);
    }
    if (b.pop->end < latest_pop) {
      return "one of those from " + named(b.push->argument) + " on has overtaken another";
    }
  }

  // "Empty" is wrong if values were present all the time. Operations with equal times overlap.
  for (const event& each : events) {
    if (each.what != action::pop || each.result != answer::no) continue;
    std::int64_t covered = each.begin;
    for (const life& other : by_push_end) {
      if (other.push->end < covered) covered = std::max(covered, other.pop->begin);
    }
    if (covered > each.end) {
      return "not empty from " + std::to_string(each.begin) + " to " + std::to_string(each.end);
    }
  }

  // "Full" is possible if at some moment the queue may have been full; the maximum is at a begin.
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  for (const life& each : by_push_begin) {
    begins.push_back(each.push->begin);
    ends.push_back(each.pop->end);
  }
  std::ranges::sort(ends);
  const auto possibly_there = [&](std::int64_t moment) {
    return static_cast<std::uint64_t>((std::ranges::upper_bound(begins, moment) - begins.begin()) -
                                      (std::ranges::lower_bound(ends, moment) - ends.begin()));
  };
  for (const event& each : events) {
    if (each.what != action::push || each.result != answer::no) continue;
    std::uint64_t most = possibly_there(each.begin);
    for (auto at = std::ranges::lower_bound(begins, each.begin);
         at != begins.end() && *at <= each.end; ++at) {
      most = std::max(most, possibly_there(*at));
    }
    if (most + each.expected <= capacity) {
      return "not full from " + std::to_string(each.begin) + " to " + std::to_string(each.end);
    }
  }
  return {};
}

}  // namespace histories
