// SPDX-License-Identifier: BSD-3-Clause
// Concept of patterns, which map element indices to members and local offsets. Indices number
// elements by rows; each member stores its elements in one array, in any order.
#pragma once

#include <acre/base/cplusplus.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace acre::layout {

using member_t = std::uint32_t;

struct place {
  member_t member;
  std::size_t offset;  ///< in elements

  friend constexpr bool operator==(const place&, const place&) noexcept = default;
};

/// Requirements on a pattern. Copies are cheap. Index < size(), member < members(). Further laws:
/// laws.hpp.
template <class P>
concept pattern = std::copyable<P> && std::equality_comparable<P> &&
                  requires(const P& p, std::size_t index, place where, member_t member) {
                    { p.size() } noexcept -> std::same_as<std::size_t>;
                    { p.members() } noexcept -> std::same_as<member_t>;
                    /// Inverse functions.
                    { p.place_of(index) } noexcept -> std::same_as<place>;
                    { p.index_of(where) } noexcept -> std::same_as<std::size_t>;
                    /// A member's number of elements, and its upper bound over members.
                    { p.local_size(member) } noexcept -> std::same_as<std::size_t>;
                    { p.local_capacity() } noexcept -> std::same_as<std::size_t>;
                    /// Number of elements from `index` on contiguous in both index and memory, at
                    /// least 1.
                    { p.run_length(index) } noexcept -> std::same_as<std::size_t>;
                  };

/// Number of elements before `index` contiguous with it, by the optional member run_before(); else
/// 0: backward traversal locates each element.
template <pattern P>
[[nodiscard]] constexpr std::size_t run_before(const P& p, std::size_t index) noexcept {
  if constexpr (requires { p.run_before(index); }) {
    return p.run_before(index);
  } else {
    return 0;
  }
}

/// True if a member's offsets have no gaps, the default. If a static member `is_dense` is false,
/// offsets extend to local_capacity().
template <pattern P>
inline constexpr bool is_dense = true;
template <pattern P>
  requires requires { P::is_dense; }
inline constexpr bool is_dense<P> = P::is_dense;

/// True, by a static member, if offsets are dense and ascend with indices; allows bisection.
template <pattern P>
inline constexpr bool is_ascending = false;
template <pattern P>
  requires requires { P::is_ascending; }
inline constexpr bool is_ascending<P> = P::is_ascending;

}  // namespace acre::layout
