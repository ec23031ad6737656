// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/tile_cut.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <string>
#include <utility>
#include <vector>

namespace acre {

namespace {

void check_cut(const char* what, const row_cut& cut, layout::member_t wanted,
               const member_grid& grid, const site& where) {
  if (cut.members() == wanted) return;
  throw error(
      "tile_cut",
      std::string("the ") + what + " are cut for " + std::to_string(cut.members()) +
          " members, but the grid is " + layout::extents_text(grid) + describe_place(where),
      "cut the rows into one run per grid row, and the columns into one run per grid column");
}

}  // namespace

tile_cut::tile_cut(member_grid grid, row_cut rows, row_cut columns, const site& where)
    : grid_(grid), rows_(std::move(rows)), columns_(std::move(columns)) {
  check_cut("rows", rows_, grid_.rows, grid_, where);
  check_cut("columns", columns_, grid_.columns, grid_, where);
  std::vector<std::size_t> firsts{0};
  for (layout::member_t row = 0; row < grid_.rows; ++row) {
    for (layout::member_t column = 0; column < grid_.columns; ++column) {
      firsts.push_back(firsts.back() + rows_.count_of(row));
    }
  }
  stacked_ = row_cut(std::move(firsts));
}

tile_cut tile_cut::equal(std::size_t rows, std::size_t columns, member_grid grid) {
  return {grid, row_cut::equal(rows, grid.rows), row_cut::equal(columns, grid.columns)};
}

tile_cut tile_cut::equal(std::size_t rows, std::size_t columns, layout::member_t members) {
  return equal(rows, columns, member_grid::square(members));
}

}  // namespace acre
