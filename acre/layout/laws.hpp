// SPDX-License-Identifier: BSD-3-Clause
// Checks the laws of patterns that the concept cannot express, for tests.
#pragma once

#include <acre/layout/pattern.hpp>
#include <acre/layout/segments.hpp>

#include <cstddef>
#include <string_view>

namespace acre::layout {

/// Checks every element, and the segments of every index range.
/// @return the broken law, if any
template <pattern Pattern>
[[nodiscard]] constexpr std::string_view broken_law(const Pattern& pattern) {
  std::size_t held = 0;
  for (member_t member = 0; member < pattern.members(); ++member) {
    held += pattern.local_size(member);
    if (pattern.local_size(member) > pattern.local_capacity()) {
      return "a member holds more elements than local_capacity()";
    }
  }
  if (held != pattern.size()) return "the members' local sizes do not add up to size()";

  for (std::size_t index = 0; index < pattern.size(); ++index) {
    const place where = pattern.place_of(index);
    if (where.member >= pattern.members()) return "place_of() returns a member that does not exist";
    const std::size_t room =
        is_dense<Pattern> ? pattern.local_size(where.member) : pattern.local_capacity();
    if (where.offset >= room) {
      return "place_of() returns an offset beyond its member's last element";
    }
    const std::size_t before = run_before(pattern, index);
    if (before > index || before > where.offset ||
        pattern.place_of(index - before) !=
            place{.member = where.member, .offset = where.offset - before} ||
        pattern.run_length(index - before) != before + pattern.run_length(index)) {
      return "run_before is not the distance from the begin of the element's run";
    }
    if (pattern.index_of(where) != index) return "index_of is not the inverse of place_of";
  }

  if constexpr (is_ascending<Pattern>) {
    for (member_t member = 0; member < pattern.members(); ++member) {
      for (std::size_t offset = 1; offset < pattern.local_size(member); ++offset) {
        if (pattern.index_of({.member = member, .offset = offset - 1}) >=
            pattern.index_of({.member = member, .offset = offset})) {
          return "a member's elements are not stored in the order of their indices";
        }
      }
    }
  }

  if constexpr (requires { requires Pattern::is_one_run; }) {
    for (member_t member = 0; member < pattern.members(); ++member) {
      const std::size_t count = pattern.local_size(member);
      if (count != 0 &&
          pattern.run_length(pattern.index_of({.member = member, .offset = 0})) != count) {
        return "a member's elements are not one run";
      }
    }
  }

  for (std::size_t first = 0; first <= pattern.size(); ++first) {
    for (std::size_t last = first; last <= pattern.size(); ++last) {
      std::size_t index = first;
      for (const segment& run : segments(pattern, first, last)) {
        if (run.count == 0) return "a segment is empty";
        if (run.count > last - index) return "segments exceed their range";
        for (std::size_t i = 0; i < run.count; ++i, ++index) {
          if (pattern.place_of(index) != place{.member = run.member, .offset = run.offset + i}) {
            return "a segment is not one run of elements";
          }
        }
      }
      if (index != last) return "segments end before the end of their range";
    }
  }
  return {};
}

}  // namespace acre::layout
