// SPDX-License-Identifier: BSD-3-Clause
// Sequential models of containers.
#pragma once

#include "history.hpp"
#include "queue_order.hpp"
#include <acre/base/split_mix.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace histories {

[[nodiscard]] inline bool agrees(answer said, bool is) {
  return said == answer::unknown || (said == answer::yes) == is;
}

struct key_of_map {
  using state = std::optional<std::uint64_t>;

  static bool step(state& now, const event& each) {
    const state before = now;
    if (each.has_value && each.value != before.value_or(0)) return false;
    switch (each.what) {
      case action::find:
      case action::contains:
        return agrees(each.result, before.has_value());
      case action::insert:
        if (!now) now = each.argument;
        return agrees(each.result, !before.has_value());
      case action::assign:
        now = each.argument;
        return agrees(each.result, !before.has_value());
      case action::add:
        now = before.value_or(0) + each.argument;
        return agrees(each.result, before.has_value());
      case action::erase:
        now.reset();
        return agrees(each.result, before.has_value());
      default:
        return false;
    }
  }
};

/// Digest of the values of a key, in order.
class value_digest {
 public:
  void add(std::uint64_t value) noexcept { sum_ = acre::mix_bits(sum_ + value + 1); }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

/// A key of a multimap. A find has the digest of the values found; an erasure, a count and an
/// addition have the number of values.
struct values_of_key {
  using state = std::vector<std::uint64_t>;

  static bool step(state& now, const event& each) {
    switch (each.what) {
      case action::find: {
        value_digest all;
        for (const std::uint64_t value : now) all.add(value);
        return each.value == all.sum();
      }
      case action::contains:
        return agrees(each.result, !now.empty());
      case action::count:
        return each.value == now.size();
      case action::insert:
        now.push_back(each.argument);
        return true;
      case action::add: {
        for (std::uint64_t& value : now) value += each.argument;
        return each.value == now.size();
      }
      case action::erase:
        return each.value == std::exchange(now, {}).size();
      case action::erase_value:
        return each.value == std::erase(now, each.argument);
      default:
        return false;
    }
  }
};

struct word {
  using state = std::uint64_t;

  static bool step(state& now, const event& each) {
    if (each.has_value && each.value != now) return false;
    switch (each.what) {
      case action::find:
        return true;
      case action::store:
      case action::exchange:
        now = each.argument;
        return true;
      case action::add:
        now += each.argument;
        return true;
      case action::compare_exchange:
        if (now == each.expected) now = each.argument;
        return true;
      default:
        return false;
    }
  }
};

/// An item of a filter without false positives.
struct item_of_filter {
  using state = bool;  ///< whether the item was inserted
  static constexpr bool only_grows = true;

  static bool step(state& now, const event& each) {
    switch (each.what) {
      case action::find:
        return agrees(each.result, now);
      case action::insert:
        return agrees(each.result, !std::exchange(now, true));
      default:
        return false;
    }
  }
};

/// A push adds `expected` numbers from `argument` on.
struct queue {
  struct state {
    std::uint64_t capacity = 0;
    std::vector<std::uint64_t> values{};
    friend auto operator<=>(const state&, const state&) = default;
  };

  static void plan(std::vector<event>& events) {
    std::map<std::uint64_t, std::int64_t> popped;
    for (const event& each : events) {
      if (each.what == action::pop && each.has_value) popped[each.value] = each.end;
    }
    for (event& each : events) {
      if (each.what != action::push || each.result != answer::yes) continue;
      const auto pop = popped.find(each.argument);
      each.due = pop == popped.end() ? std::numeric_limits<std::int64_t>::max() : pop->second;
    }
  }

  static bool is_possible(const std::vector<event>& events, const state& initial) {
    return why_no_queue(events, initial.capacity).empty();
  }

  static bool step(state& now, const event& each) {
    if (each.what == action::push) {
      const bool fits = now.values.size() + each.expected <= now.capacity;
      for (std::uint64_t i = 0; fits && i < each.expected; ++i) {
        now.values.push_back(each.argument + i);
      }
      return agrees(each.result, fits);
    }
    if (each.what != action::pop) return false;
    if (now.values.empty()) return each.result == answer::no;
    if (each.result != answer::yes || each.value != now.values.front()) return false;
    now.values.erase(now.values.begin());
    return true;
  }
};

/// A push adds `expected` numbers from `argument` on, in their order. A pop removes at most
/// `expected` numbers; its value is their digest. A find reads an end: the front if `expected` is
/// 0.
struct double_ended {
  using state = std::vector<std::uint64_t>;

  [[nodiscard]] static std::uint64_t digest_of(std::uint64_t number) noexcept {
    value_digest one;
    one.add(number);
    return one.sum();
  }

  static void plan(std::vector<event>& events) {
    std::map<std::uint64_t, std::int64_t> popped;
    for (const event& each : events) {
      if (each.what == action::pop || each.what == action::pop_back) popped[each.value] = each.end;
    }
    for (event& each : events) {
      if (each.what != action::push && each.what != action::push_front) continue;
      const auto pop = popped.find(digest_of(each.argument));
      each.due = pop == popped.end() ? std::numeric_limits<std::int64_t>::max() : pop->second;
    }
  }

  static bool step(state& now, const event& each) {
    switch (each.what) {
      case action::push:
      case action::push_front: {
        std::vector<std::uint64_t> added(each.expected);
        std::iota(added.begin(), added.end(), each.argument);
        const auto at = each.what == action::push ? now.end() : now.begin();
        now.insert(at, added.begin(), added.end());
        return true;
      }
      case action::pop:
      case action::pop_back: {
        value_digest all;
        for (std::uint64_t i = 0; i < each.expected && !now.empty(); ++i) {
          const auto at = each.what == action::pop ? now.begin() : now.end() - 1;
          all.add(*at);
          now.erase(at);
        }
        return each.value == all.sum();
      }
      case action::find:
        if (now.empty()) return !each.has_value;
        return each.has_value && each.value == (each.expected == 0 ? now.front() : now.back());
      case action::count:
        return each.value == now.size();
      default:
        return false;
    }
  }
};

/// Sets of the elements 0 … 15; the representative is the greatest element.
struct partition {
  static constexpr bool only_grows = true;
  struct state {
    std::array<std::uint8_t, 16> greatest{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    friend auto operator<=>(const state&, const state&) = default;
  };

  static bool step(state& now, const event& each) {
    const std::uint8_t one = now.greatest[each.argument];
    const std::uint8_t other = now.greatest[each.expected];
    switch (each.what) {
      case action::unite:
        for (std::uint8_t& label : now.greatest) {
          if (label == one || label == other) label = std::max(one, other);
        }
        return agrees(each.result, one != other);
      case action::compare:
        return agrees(each.result, one == other);
      case action::representative:
        return !each.has_value || each.value == one;
      default:
        return false;
    }
  }
};

}  // namespace histories
