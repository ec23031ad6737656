// SPDX-License-Identifier: BSD-3-Clause
// Patterns with margins for copies of neighbouring elements (array/halo.hpp).
#pragma once

#include <acre/layout/composed.hpp>
#include <acre/layout/distribution.hpp>

#include <concepts>
#include <cstddef>
#include <span>

namespace acre {

namespace layout {

template <std::size_t N>
[[nodiscard]] constexpr margins<N> equal_margins(std::size_t width) noexcept {
  margins<N> result;
  result.before.fill(width);
  result.after.fill(width);
  return result;
}

void check_margins(std::span<const std::size_t> widths, std::span<const std::size_t> extents);

template <class P>
struct bordered_form;
template <cut... Cuts, class Mapping, class Memory>
struct bordered_form<composed<partition<Cuts...>, Mapping, Memory>> {
  static_assert(
      Memory::is_canonical && (Cuts::is_one_a_part && ...),
      "margins require one block per member: use the cuts `balanced`, `blocked`, `none` or `at`");
  using type =
      composed<partition<Cuts...>, Mapping, bordered<sizeof...(Cuts), typename Memory::order>>;
};
template <class P>
using bordered_of = typename bordered_form<P>::type;

/// Default pattern of arrays with halos.
template <std::size_t N>
using bordered_boxes = bordered_of<boxes<N>>;

}  // namespace layout

/// Halo widths per side, in elements.
template <std::size_t N>
using halo_widths = layout::margins<N>;

/// Adds margins to a pattern. @throws acre::error for a width negative or larger than the extent
template <class Pattern>
  requires requires { typename layout::bordered_of<Pattern>; }
[[nodiscard]] layout::bordered_of<Pattern> with_margins(
    const Pattern& pattern, const halo_widths<Pattern::dimensions>& widths) {
  layout::check_margins(widths.before, pattern.extents());
  layout::check_margins(widths.after, pattern.extents());
  return {pattern.cuts(), pattern.owners(), {widths}};
}
template <class Pattern, std::integral Width>
  requires requires { typename layout::bordered_of<Pattern>; }
[[nodiscard]] layout::bordered_of<Pattern> with_margins(const Pattern& pattern, Width width) {
  return with_margins(pattern,
                      layout::equal_margins<Pattern::dimensions>(static_cast<std::size_t>(width)));
}

}  // namespace acre
