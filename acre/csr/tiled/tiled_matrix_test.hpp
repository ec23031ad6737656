// SPDX-License-Identifier: BSD-3-Clause
// Grids, cuts and tables for tests of tiled matrices.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_builder.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/member_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::sparse_test {

[[nodiscard]] inline std::vector<member_grid> all_grids() {
  std::vector<member_grid> grids;
  for (rank_t rows = 1; rows <= size(); ++rows) {
    if (size() % rows == 0) grids.push_back({rows, size() / rows});
  }
  return grids;
}

/// The first part is empty (if not alone).
[[nodiscard]] inline row_cut uneven(std::size_t rows, rank_t parts) {
  std::vector<std::size_t> firsts(parts + std::size_t{1}, 0);
  for (std::size_t i = 2; i < parts; ++i) firsts[i] = std::min(i, rows);
  firsts.back() = rows;
  return row_cut(std::move(firsts));
}

[[nodiscard]] inline tile_cut uneven_tiles(std::size_t rows, std::size_t columns,
                                           const member_grid& grid) {
  return {grid, uneven(rows, grid.rows), uneven(columns, grid.columns)};
}

template <class T>
[[nodiscard]] table_of<T> table_from(const tiled_csr_matrix<T>& matrix) {
  table_of<T> all;
  for (rank_t member = 0; member < matrix.members().size(); ++member) {
    const csr_tile<T> tile = matrix.tile(member);
    for (std::size_t row = 0; row < tile.rows.count; ++row) {
      EXPECT_TRUE(std::ranges::is_sorted(tile.rows.columns_of(row)));
      for (std::size_t i = tile.rows.begin_of(row); i < tile.rows.end_of(row); ++i) {
        all[{tile.rows.first + row, tile.first_column + tile.rows.columns[i]}] = tile.rows.value(i);
      }
    }
  }
  matrix.members().barrier();
  return all;
}
template <class T>
[[nodiscard]] table_of<T> table_from(const csr_matrix<T>& matrix) {
  table_of<T> all;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const auto read = matrix.row(row);
    for (std::size_t i = 0; i < read.columns.size(); ++i) {
      all[{row, read.columns[i]}] = read.values[i];
    }
  }
  matrix.members().barrier();
  return all;
}

template <class Use>
void for_all_tiles(const csr_matrix<long>& a, Use&& use) {
  for (const member_grid& grid : all_grids()) {
    for (const tile_cut& cut : {tile_cut::equal(a.rows(), a.columns(), grid),
                                uneven_tiles(a.rows(), a.columns(), grid)}) {
      use(tiled(a, cut));
    }
  }
}

}  // namespace acre::sparse_test
