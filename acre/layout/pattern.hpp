// SPDX-License-Identifier: BSD-3-Clause
// A pattern maps element indices to team members and local offsets, as a pure function.
//
//     acre::layout::blocked pattern(10, 3);      // 10 elements, 3 members
//     pattern.place_of(5);                       // {.member = 1, .offset = 1}
//
// Indices number the elements in traversal order, by rows. Each member stores its elements in one
// memory block, in any order.
#pragma once

#include <acre/base/cplusplus.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace acre::layout {

/// Rank within a team.
using member_t = std::uint32_t;

/// Location of an element.
struct place {
  member_t member;
  std::size_t offset;  ///< in elements

  friend constexpr bool operator==(const place&, const place&) noexcept = default;
};

/// Requirements on a pattern. Copies are cheap; functions do not throw and may be constexpr. Index
/// < size(), member < members(), offsets are those of elements. Further laws: laws.hpp.
template <class P>
concept pattern = std::copyable<P> && std::equality_comparable<P> &&
                  requires(const P& p, std::size_t index, place where, member_t member) {
                    { p.size() } noexcept -> std::same_as<std::size_t>;
                    { p.members() } noexcept -> std::same_as<member_t>;
                    /// Inverse functions.
                    { p.place_of(index) } noexcept -> std::same_as<place>;
                    { p.index_of(where) } noexcept -> std::same_as<std::size_t>;
                    /// Number of a member's elements, and its upper bound, for symmetric
                    /// allocation.
                    { p.local_size(member) } noexcept -> std::same_as<std::size_t>;
                    { p.local_capacity() } noexcept -> std::same_as<std::size_t>;
                    /// Number of elements, from `index` on, contiguous in index and memory; at
                    /// least 1 (segments.hpp).
                    { p.run_length(index) } noexcept -> std::same_as<std::size_t>;
                  };

/// Number of elements before `index` contiguous with it, by the optional member
/// `run_before(index)`. Without it 0: backward traversal then locates each element anew.
template <pattern P>
[[nodiscard]] constexpr std::size_t run_before(const P& p, std::size_t index) noexcept {
  if constexpr (requires { p.run_before(index); }) {
    return p.run_before(index);
  } else {
    return 0;
  }
}

/// True if offsets 0 to local_size() - 1 are used without gaps; false by a static member
/// `is_dense`. Offsets then extend to local_capacity().
template <pattern P>
inline constexpr bool is_dense = true;
template <pattern P>
  requires requires { P::is_dense; }
inline constexpr bool is_dense<P> = P::is_dense;

/// True, by a static member `is_ascending`, if offsets have no gaps and ascend with indices; a
/// range is then located by bisection.
template <pattern P>
inline constexpr bool is_ascending = false;
template <pattern P>
  requires requires { P::is_ascending; }
inline constexpr bool is_ascending<P> = P::is_ascending;

}  // namespace acre::layout
