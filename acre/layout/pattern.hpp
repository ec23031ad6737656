// SPDX-License-Identifier: BSD-3-Clause
// A pattern says what lies where: which member of a team holds the element of an
// index, and at which place among its own.
//
//     acre::layout::blocked pattern(10, 3);      // 10 elements, 3 members
//     pattern.place_of(5);                       // {.member = 1, .offset = 1}
//     pattern.index_of({.member = 1, .offset = 1});   // 5
//
// It is a pure function, and knows neither memory nor jobs; an array is a pattern and
// the memory of a team. Indices number all elements in the order in which they are
// walked through, in several dimensions by rows. Each member keeps its own in one
// piece of memory; a pattern may scatter neighbours as it likes.
#pragma once

#include <acre/base/cplusplus.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace acre::layout {

/// A member of a team, by its number there: 0 … members() - 1.
using member_t = std::uint32_t;

/// Where an element lies.
struct place {
  member_t member;
  std::size_t offset;  ///< in elements, from the first of the member's own

  friend constexpr bool operator==(const place&, const place&) noexcept = default;
};

/// What an array asks of its pattern. Copies are alike and cheap. Nothing throws, and all can
/// be constexpr; an index is below size(), a member below members(), an offset the place of an
/// element. The laws that cannot be written here are in laws.hpp.
template <class P>
concept pattern = std::copyable<P> && std::equality_comparable<P> &&
                  requires(const P& p, std::size_t index, place where, member_t member) {
                    /// The elements of all members.
                    { p.size() } noexcept -> std::same_as<std::size_t>;
                    { p.members() } noexcept -> std::same_as<member_t>;
                    /// Where an element lies, and which lies there: each the other's inverse.
                    { p.place_of(index) } noexcept -> std::same_as<place>;
                    { p.index_of(where) } noexcept -> std::same_as<std::size_t>;
                    /// How many elements a member holds, and how many none exceeds: who
                    /// gives each member room for these has the same block everywhere.
                    { p.local_size(member) } noexcept -> std::same_as<std::size_t>;
                    { p.local_capacity() } noexcept -> std::same_as<std::size_t>;
                    /// How many elements, this one included, follow each other in index and
                    /// in memory from here on: at least 1 (segments.hpp).
                    { p.run_length(index) } noexcept -> std::same_as<std::size_t>;
                  };

/// How many elements before this one follow each other in index and in memory up to it, as
/// run_length() counts those after: what a pattern says by `run_before(index)`. One that does not
/// is walked through backwards as well, but each step looks its element up anew.
template <pattern P>
[[nodiscard]] constexpr std::size_t run_before(const P& p, std::size_t index) noexcept {
  if constexpr (requires { p.run_before(index); }) {
    return p.run_before(index);
  } else {
    return 0;
  }
}

/// Whether members hold their elements without a gap, from offset 0 to local_size(): what a
/// pattern is unless it says `static constexpr bool is_dense = false`. Otherwise offsets go up to
/// local_capacity().
template <pattern P>
inline constexpr bool is_dense = true;
template <pattern P>
  requires requires { P::is_dense; }
inline constexpr bool is_dense<P> = P::is_dense;

/// Whether members hold their elements in the order of their indices, and without gaps: what a
/// pattern is if it says `static constexpr bool is_ascending = true`. Then a part of them is found
/// by bisection.
template <pattern P>
inline constexpr bool is_ascending = false;
template <pattern P>
  requires requires { P::is_ascending; }
inline constexpr bool is_ascending<P> = P::is_ascending;

}  // namespace acre::layout
