// SPDX-License-Identifier: BSD-3-Clause
// Histories of values that are in no order: each one is popped once, after its push.
#pragma once

#include "history.hpp"

#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace histories {

/// Reports the first violation to the standard error stream.
[[nodiscard]] inline bool keeps_all_values(const std::vector<event>& all) {
  std::map<std::uint64_t, std::pair<const event*, const event*>> values;
  const auto refuse = [](const char* why, const event& each) {
    std::fprintf(stderr, "  %s: %s\n", why, to_string(each).c_str());
    return false;
  };
  for (const event& each : all) {
    if (each.what == action::push) values[each.argument].first = &each;
  }
  for (const event& each : all) {
    if (each.what != action::pop || !each.has_value) continue;
    auto& [push, pop] = values[each.value];
    if (push == nullptr) return refuse("a value that no rank has pushed", each);
    if (pop != nullptr) return refuse("a value twice", each);
    if (each.end < push->begin) return refuse("a pop before the push", each);
    pop = &each;
  }
  for (const auto& [value, events] : values) {
    if (events.second == nullptr) return refuse("a lost value", *events.first);
  }
  return true;
}

}  // namespace histories
