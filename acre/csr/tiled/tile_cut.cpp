// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/tiled/tile_cut.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace acre {

namespace csr {

std::string size_of(const member_grid& grid) {
  return std::to_string(grid.rows) + " x " + std::to_string(grid.columns);
}

}  // namespace csr

namespace {

void check_cut(const char* what, const row_cut& cut, rank_t wanted, const member_grid& grid,
               const site& where) {
  if (cut.members() == wanted) return;
  throw error("tile_cut",
              std::string("the ") + what + " are cut for " + std::to_string(cut.members()) +
                  " members, and the grid is " + csr::size_of(grid) + describe_place(where),
              "each row of the grid has a run of rows, each column a run of columns");
}

}  // namespace

tile_cut::tile_cut(member_grid grid, row_cut rows, row_cut columns, const site& where)
    : grid_(grid), rows_(std::move(rows)), columns_(std::move(columns)) {
  check_cut("rows", rows_, grid_.rows, grid_, where);
  check_cut("columns", columns_, grid_.columns, grid_, where);
  std::vector<std::size_t> firsts{0};
  for (rank_t row = 0; row < grid_.rows; ++row) {
    for (rank_t column = 0; column < grid_.columns; ++column) {
      firsts.push_back(firsts.back() + rows_.count_of(row));
    }
  }
  stacked_ = row_cut(std::move(firsts));
  for (rank_t column = 0; column < grid_.columns; ++column) {
    widest_ = std::max(widest_, columns_.count_of(column));
  }
}

tile_cut tile_cut::equal(std::size_t rows, std::size_t columns, member_grid grid) {
  return {grid, row_cut::equal(rows, grid.rows), row_cut::equal(columns, grid.columns)};
}

tile_cut tile_cut::equal(std::size_t rows, std::size_t columns, rank_t members) {
  return equal(rows, columns, member_grid::square(members));
}

namespace csr {

void check_grid(const char* call, const member_grid& grid, rank_t members, const site& where) {
  if (grid.size() == members) return;
  throw error(call,
              "the grid is " + size_of(grid) + ", and the team has " + std::to_string(members) +
                  " members" + describe_place(where),
              "each member has one tile");
}

void check_same_tiles(const char* call, const char* what, const tile_cut& one,
                      const tile_cut& other, const site& where) {
  if (one == other) return;
  throw error(call,
              std::string(what) + " is not cut into tiles as the other" + describe_place(where),
              "make both with one tile_cut: tiled(by_rows(b), a.cut())");
}

}  // namespace csr

}  // namespace acre
