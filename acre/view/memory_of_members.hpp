// SPDX-License-Identifier: BSD-3-Clause
// Address ranges of containers in global memory, to detect overlaps.
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/runtime/world.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::view {

/// Address range, as bits of global pointers.
struct memory_of_member {
  std::uint64_t first;
  std::uint64_t end;

  friend auto operator<=>(const memory_of_member&, const memory_of_member&) = default;
};
/// Address range of each member's elements. Local; equal on all members. Cost: l per member.
/// @param pointer_to  maps a place of the pattern to a global pointer
template <class Pattern, class PointerTo>
[[nodiscard]] std::vector<memory_of_member> memory_by_pattern(const Pattern& pattern,
                                                              rank_t members,
                                                              const PointerTo& pointer_to) {
  std::vector<memory_of_member> all;
  for (rank_t member = 0; member < members; ++member) {
    if (pattern.local_size(member) == 0) continue;
    const auto first = pointer_to(layout::place{.member = member, .offset = 0});
    const std::size_t count =
        layout::is_dense<Pattern> ? pattern.local_size(member) : pattern.local_capacity();
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    all.push_back({first.bits(), last.bits()});
  }
  return all;
}
template <class Matrix>
[[nodiscard]] std::vector<memory_of_member> memory_of(const Matrix& m) {
  return memory_by_pattern(m.pattern(), m.members().size(),
                           [&](layout::place at) { return m.pointer_to(at); });
}

[[nodiscard]] bool have_common(std::vector<memory_of_member> all,
                               std::vector<memory_of_member> others);
/// True if `global` is mapped here and overlaps [first, end).
[[nodiscard]] bool is_mapped_between(const memory_of_member& global, const void* first,
                                     const void* end);

/// True if boxes of matrices share elements; conservatively, also if matrices of different patterns
/// share memory.
template <class View, class Other>
[[nodiscard]] bool have_common_elements(const View& box, const Other& other) {
  const auto& all = box.base();
  const auto& others = other.base();
  const auto are_parts_common = [&] {
    return !layout::intersection(box.part(), other.part()).empty();
  };
  if (static_cast<const void*>(&all) == &others) return are_parts_common();
  if (!have_common(memory_of(all), memory_of(others))) return false;
  if constexpr (requires { all.pattern() == others.pattern(); }) {
    if (all.pattern() == others.pattern() && memory_of(all) == memory_of(others)) {
      return are_parts_common();
    }
  }
  return true;
}

}  // namespace acre::view
