// SPDX-License-Identifier: BSD-3-Clause
// Patterns whose members have room around their elements, for copies of those that lie beside them.
//
//     // boxes, each with a border of one element around it
//     auto pattern = acre::with_margins(acre::make_distribution({100, 80}, 6, acre::dist::balanced,
//                                                               acre::dist::balanced), 1);
//
// So a loop that reads neighbours reads one array with constant strides. What fills the margins is
// array/halo.hpp.
#pragma once

#include <acre/layout/composed.hpp>
#include <acre/layout/distribution.hpp>

#include <concepts>
#include <cstddef>
#include <span>

namespace acre {

namespace layout {

/// The same on all sides.
template <std::size_t N>
[[nodiscard]] constexpr margins<N> equal_margins(std::size_t width) noexcept {
  margins<N> result;
  result.before.fill(width);
  result.after.fill(width);
  return result;
}

/// @throws acre::error when a margin is wider than the whole
void check_margins(std::span<const std::size_t> widths, std::span<const std::size_t> extents);

/// The pattern of an array that keeps its stages but the third.
template <class P>
struct bordered_form;
template <cut... Cuts, class Mapping, class Memory>
struct bordered_form<composed<partition<Cuts...>, Mapping, Memory>> {
  static_assert(Memory::is_canonical && (Cuts::is_one_a_part && ...),
                "only members of one block have margins: cut as `balanced`, `blocked`, `none` or "
                "`at` does");
  using type =
      composed<partition<Cuts...>, Mapping, bordered<sizeof...(Cuts), typename Memory::order>>;
};
template <class P>
using bordered_of = typename bordered_form<P>::type;

/// A box for each member, with margins: what an array with halos has that asks for no other
/// pattern.
template <std::size_t N>
using bordered_boxes = bordered_of<boxes<N>>;

}  // namespace layout

/// How many elements beside a member's own are kept with these, on each side.
template <std::size_t N>
using halo_widths = layout::margins<N>;

/// The same pattern, with room on each side of each member's elements.
/// @throws acre::error when a width is negative, or larger than the extent
template <class Pattern>
  requires requires { typename layout::bordered_of<Pattern>; }
[[nodiscard]] layout::bordered_of<Pattern> with_margins(
    const Pattern& pattern, const halo_widths<Pattern::dimensions>& widths) {
  layout::check_margins(widths.before, pattern.extents());
  layout::check_margins(widths.after, pattern.extents());
  return {pattern.cuts(), pattern.owners(), {widths}};
}
/// The same on all sides.
template <class Pattern, std::integral Width>
  requires requires { typename layout::bordered_of<Pattern>; }
[[nodiscard]] layout::bordered_of<Pattern> with_margins(const Pattern& pattern, Width width) {
  return with_margins(pattern,
                      layout::equal_margins<Pattern::dimensions>(static_cast<std::size_t>(width)));
}

}  // namespace acre
