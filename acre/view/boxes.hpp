// SPDX-License-Identifier: BSD-3-Clause
// Contract between distributed boxes and algorithms (ranges: view/ranges.hpp). A box has extents(),
// its team members(), and, for a box `part`:
//
//     b.each_piece(part, f)       f(where, piece) for each rank's piece: a box in b's coordinates,
//                                 and a global_box
//     b.each_own_piece(part, f)   only pieces of this rank
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

/// All of a box.
template <distributed_box B>
[[nodiscard]] layout::box<B::dimensions> whole(const B& b) {
  return {.extents = b.extents()};
}

}  // namespace acre::ranges
