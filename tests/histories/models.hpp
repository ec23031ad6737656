// What containers do when one rank uses them at a time.
#pragma once

#include "history.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace histories {

[[nodiscard]] inline bool agrees(answer said, bool is) {
  return said == answer::unknown || (said == answer::yes) == is;
}

/// One key of a map, a set or a counting map: there with a value, or not.
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

/// A word that atomics work on.
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

}  // namespace histories
