// SPDX-License-Identifier: BSD-3-Clause
// Members of a team in rows and columns, in the order of the team: member r * C + c of a grid of
// R x C is in its row r and column c, as those of team::cartesian({R, C}) are.
//
//     acre::member_grid::square(12) == acre::member_grid{3, 4}
#pragma once

#include <acre/layout/pattern.hpp>

#include <cstddef>

namespace acre {

struct member_grid {
  layout::member_t rows = 1;
  layout::member_t columns = 1;

  [[nodiscard]] constexpr std::size_t size() const noexcept { return std::size_t{rows} * columns; }
  [[nodiscard]] constexpr layout::member_t member(layout::member_t row,
                                                  layout::member_t column) const noexcept {
    return row * columns + column;
  }
  [[nodiscard]] constexpr layout::member_t row_of(layout::member_t member) const noexcept {
    return member / columns;
  }
  [[nodiscard]] constexpr layout::member_t column_of(layout::member_t member) const noexcept {
    return member % columns;
  }
  friend constexpr bool operator==(const member_grid&, const member_grid&) noexcept = default;

  /// As square as so many members can stand, not more rows than columns.
  [[nodiscard]] static member_grid square(layout::member_t members) noexcept;
};

}  // namespace acre
