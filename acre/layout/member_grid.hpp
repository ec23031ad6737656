// SPDX-License-Identifier: BSD-3-Clause
// Grid of members, numbered by rows as in team::cartesian({R, C}): member r * C + c is in row r,
// column c.
#pragma once

#include <acre/layout/pattern.hpp>
#include <acre/layout/team_spec.hpp>

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

  /// Returns the most square grid, with rows <= columns.
  [[nodiscard]] static member_grid square(layout::member_t members) noexcept;
  /// Returns the grid of a grid team (team::spec()), or the most square one.
  [[nodiscard]] static member_grid of(const team_spec<2>& spec, layout::member_t members) noexcept;
};

}  // namespace acre
