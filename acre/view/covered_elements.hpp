// SPDX-License-Identifier: BSD-3-Clause
// Describes the elements of a container that a range covers, to detect overlaps.
//
//     i.covered(count)        covered_elements of `count` elements
//     i.each_base(count, f)   f(base, count, step) for each wrapped iterator
#pragma once

#include <acre/base/bits.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/memory_of_members.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace acre::view {

enum class overlap : std::uint8_t {
  none,
  same,   ///< at equal positions
  other,  ///< at other, or unknown, positions
};
[[nodiscard]] constexpr overlap worse(overlap a, overlap b) noexcept { return a < b ? b : a; }

/// Elements that a range covers, all within box `part` of a container; equal on all members.
template <std::size_t N>
struct covered_elements {
  /// Its memory; unchanged by moves.
  const void* container = nullptr;
  /// Address ranges; called if one of two containers is in user memory.
  std::vector<memory_of_member> (*memory)(const void* container) = nullptr;
  bool is_users_memory = false;  ///< which other containers may share
  layout::box<N> part{};
  layout::box<N> walked{};  ///< box whose row-major order the range follows
  std::size_t number = 0;   ///< number of the first element in `walked`
  std::size_t step = 1;     ///< 0: another order
};

template <std::size_t N, std::size_t M>
[[nodiscard]] overlap overlap_of(const covered_elements<N>& a, const covered_elements<M>& b) {
  if (a.part.empty() || b.part.empty()) return overlap::none;
  if (a.container != b.container) {
    const bool is_common = (a.is_users_memory || b.is_users_memory) &&
                           have_common(a.memory(a.container), b.memory(b.container));
    return is_common ? overlap::other : overlap::none;
  }
  if constexpr (N == M) {
    if (layout::intersection(a.part, b.part).empty()) return overlap::none;
    const bool is_same = a.part == b.part && a.walked == b.walked && a.number == b.number &&
                         a.step == b.step && a.step != 0;
    return is_same ? overlap::same : overlap::other;
  }
  return overlap::other;
}

/// True if all wrapped iterators report covered elements.
template <class I>
struct tells_covered {
  static constexpr bool value = requires(const I& i) { i.covered(std::size_t{}); };
};
template <class I>
  requires(I::bases_tell_covered)
struct tells_covered<I> {
  static constexpr bool value = true;
};

/// Calls f(covered_elements) for each container.
template <class I, class F>
void each_covered(const I& first, std::size_t count, const F& f, std::size_t step = 1) {
  if constexpr (requires { first.covered(count); }) {
    auto covered = first.covered(count);
    covered.step = step;
    f(covered);
  } else {
    first.each_base(count, [&](const auto& base, std::size_t count_of_base, std::size_t more) {
      each_covered(base, count_of_base, f, step * more);
    });
  }
}

}  // namespace acre::view
