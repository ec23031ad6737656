// SPDX-License-Identifier: BSD-3-Clause
// How a matrix is cut into one tile for each member of a team: the rows of a grid of members have
// runs of rows, the columns of the grid runs of columns, and each member what lies where both meet.
//
//     acre::tile_cut::equal(1000, 600, acre::world().size())            // as square as can be
//     acre::tile_cut(acre::member_grid{2, 3}, balanced, acre::row_cut::equal(600, 3))
//
// A cut never changes, and copies share it.
#pragma once

#include <acre/base/site.hpp>
#include <acre/layout/member_grid.hpp>
#include <acre/layout/row_cut.hpp>

#include <cstddef>

namespace acre {

class tile_cut {
 public:
  /// No rows and columns, of one member.
  tile_cut() : tile_cut(member_grid{}, row_cut::equal(0, 1), row_cut::equal(0, 1)) {}
  /// Row r of the grid has those rows that `rows` gives to its member r, column c of the grid those
  /// columns that `columns` gives to its member c.
  /// @throws acre::error when they are cut for more or fewer than the grid has
  tile_cut(member_grid grid, row_cut rows, row_cut columns, const site& where = site::current());

  /// As many rows for each row of the grid, as row_cut::equal has them, and so the columns.
  /// @throws acre::error when the grid has no rows or no columns
  [[nodiscard]] static tile_cut equal(std::size_t rows, std::size_t columns, member_grid grid);
  /// The same, in a grid as square as can be.
  [[nodiscard]] static tile_cut equal(std::size_t rows, std::size_t columns,
                                      layout::member_t members);

  [[nodiscard]] const member_grid& grid() const noexcept { return grid_; }
  [[nodiscard]] const row_cut& rows() const noexcept { return rows_; }
  [[nodiscard]] const row_cut& columns() const noexcept { return columns_; }

  /// The member that has a place; there must be such a place. Logarithmic in the members.
  [[nodiscard]] layout::member_t owner(std::size_t row, std::size_t column) const noexcept {
    return grid_.member(rows_.owner(row), columns_.owner(column));
  }
  /// Of a member's tile. l.
  [[nodiscard]] std::size_t first_row_of(layout::member_t member) const noexcept {
    return rows_.first_of(grid_.row_of(member));
  }
  [[nodiscard]] std::size_t first_column_of(layout::member_t member) const noexcept {
    return columns_.first_of(grid_.column_of(member));
  }
  [[nodiscard]] std::size_t columns_of(layout::member_t member) const noexcept {
    return columns_.count_of(grid_.column_of(member));
  }

  /// The cut of the rows of all tiles, stacked in the order of members. l.
  [[nodiscard]] const row_cut& stacked() const noexcept { return stacked_; }
  /// The number there of a row of a member's tile. l.
  [[nodiscard]] std::size_t stacked_row(layout::member_t member, std::size_t row) const noexcept {
    return stacked_.first_of(member) + (row - first_row_of(member));
  }
  /// Of the transpose: rows of the grid become columns, as rows of the matrix do.
  [[nodiscard]] tile_cut transposed() const {
    return {member_grid{grid_.columns, grid_.rows}, columns_, rows_};
  }
  /// The number of columns of the widest tile. l.
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
