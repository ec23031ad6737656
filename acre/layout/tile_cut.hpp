// SPDX-License-Identifier: BSD-3-Clause
// Immutable partition of a matrix into one tile per member of a grid; copies share it.
#pragma once

#include <acre/base/site.hpp>
#include <acre/layout/member_grid.hpp>
#include <acre/layout/row_cut.hpp>

#include <cstddef>

namespace acre {

class tile_cut {
 public:
  tile_cut() : tile_cut(member_grid{}, row_cut::equal(0, 1), row_cut::equal(0, 1)) {}
  /// Cuts rows by grid row and columns by grid column.
  /// @throws acre::error if the cuts do not match the grid
  tile_cut(member_grid grid, row_cut rows, row_cut columns, const site& where = site::current());

  /// Tiles of equal extents (row_cut::equal). @throws acre::error for an empty grid
  [[nodiscard]] static tile_cut equal(std::size_t rows, std::size_t columns, member_grid grid);
  /// As above, in the most square grid.
  [[nodiscard]] static tile_cut equal(std::size_t rows, std::size_t columns,
                                      layout::member_t members);

  [[nodiscard]] const member_grid& grid() const noexcept { return grid_; }
  [[nodiscard]] const row_cut& rows() const noexcept { return rows_; }
  [[nodiscard]] const row_cut& columns() const noexcept { return columns_; }

  /// Member that owns an existing position. Cost: logarithmic.
  [[nodiscard]] layout::member_t owner(std::size_t row, std::size_t column) const noexcept {
    return grid_.member(rows_.owner(row), columns_.owner(column));
  }
  [[nodiscard]] std::size_t first_row_of(layout::member_t member) const noexcept {
    return rows_.first_of(grid_.row_of(member));
  }
  [[nodiscard]] std::size_t first_column_of(layout::member_t member) const noexcept {
    return columns_.first_of(grid_.column_of(member));
  }
  [[nodiscard]] std::size_t columns_of(layout::member_t member) const noexcept {
    return columns_.count_of(grid_.column_of(member));
  }

  /// Rows of all tiles, stacked in member order.
  [[nodiscard]] const row_cut& stacked() const noexcept { return stacked_; }
  /// Number in stacked() of a matrix row in the member's tile.
  [[nodiscard]] std::size_t stacked_row(layout::member_t member, std::size_t row) const noexcept {
    return stacked_.first_of(member) + (row - first_row_of(member));
  }
  /// Cut of the transpose; the grid is transposed, too.
  [[nodiscard]] tile_cut transposed() const {
    return {member_grid{grid_.columns, grid_.rows}, columns_, rows_};
  }
  [[nodiscard]] std::size_t widest() const noexcept { return columns_.largest(); }

  friend bool operator==(const tile_cut& a, const tile_cut& b) noexcept {
    return a.grid_ == b.grid_ && a.rows_ == b.rows_ && a.columns_ == b.columns_;
  }

 private:
  member_grid grid_;
  row_cut rows_;
  row_cut columns_;
  row_cut stacked_;
};

}  // namespace acre
