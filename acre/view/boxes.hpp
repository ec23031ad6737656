// SPDX-License-Identifier: BSD-3-Clause
// The contract between boxes that are spread over ranks and the algorithms that work on them: what
// view/ranges.hpp is for ranges. A box says its extents() and its team, members(), and calls
//
//     b.each_piece(part, f)       f(where, piece) of each part of it that lies at one rank:
//                                 a box in b's coordinates, and a global_box
//     b.each_own_piece(part, f)   the same of this rank's alone
//
// for what of it lies in `part`, also a box in b's coordinates.
#pragma once

#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/global_box.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace acre::ranges {

template <class B>
concept distributed_box =
    requires {
      typename B::element_type;
      B::dimensions;
    } && requires(B& b, void (*f)(const layout::box<B::dimensions>&,
                                  const global_box<typename B::element_type, B::dimensions>&)) {
      { b.extents() } -> std::convertible_to<layout::coordinates<B::dimensions>>;
      { b.members() } -> std::same_as<const team&>;
      b.each_piece(layout::box<B::dimensions>(), f);
      b.each_own_piece(layout::box<B::dimensions>(), f);
    };

/// All of a box, in its own coordinates.
template <distributed_box B>
[[nodiscard]] layout::box<B::dimensions> whole(const B& b) {
  return {.extents = b.extents()};
}

}  // namespace acre::ranges
