// SPDX-License-Identifier: BSD-3-Clause
// The elements of a container that a range has, as its iterators tell them: by these, calls that
// read one range and write another find out whether the two overlap.
//
//     i.covered(count)             covered_elements of the count elements from i on, in a container
//     i.each_base(count, f)        f(base, count, step) of each iterator that a view is made of
#pragma once

#include <acre/base/bits.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/memory_of_members.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace acre::view {

/// What two ranges of equal size have in common.
enum class overlap : std::uint8_t {
  none,
  same,   ///< each element is in both at the same place
  other,  ///< or may be: some are not told apart
};
[[nodiscard]] constexpr overlap worse(overlap a, overlap b) noexcept { return a < b ? b : a; }

/// Elements of a container, which are in a box of its coordinates. All members know the same.
template <std::size_t N>
struct covered_elements {
  /// Where the container keeps its elements: the same while it moves.
  const void* container = nullptr;
  /// Of that; asked for where two containers may be in the same memory.
  std::vector<memory_of_member> (*memory)(const void* container) = nullptr;
  bool is_users_memory = false;  ///< another container may be there, too
  layout::box<N> part{};
  // Which element of the range is which of the container:
  layout::box<N> walked{};  ///< by rows
  std::size_t number = 0;   ///< of the first in that walk
  std::size_t step = 1;     ///< 0: in another order
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

/// Whether an iterator tells what it covers, or all those that it is made of do.
template <class I>
struct tells_covered {
  static constexpr bool value = requires(const I& i) { i.covered(std::size_t{}); };
};
template <class I>
  requires(I::bases_tell_covered)
struct tells_covered<I> {
  static constexpr bool value = true;
};

/// f(covered_elements) of each container in which the `count` elements from an iterator on are.
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
