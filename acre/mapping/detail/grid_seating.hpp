// SPDX-License-Identifier: BSD-3-Clause
// Maps grown coordinates to cells of a bounded grid. Steps across a border give the extent of a
// periodic dimension, layers of ranks that of others. Cells may stay empty (ocean models).
#pragma once

#include <acre/mapping/detail/cell_space.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace acre::mapping {

struct grown_grid {
  cell_space space;
  std::vector<cell> cells;
  std::vector<cell> steps;  ///< ascending; empty: unit steps
  std::size_t placed = 0;
};

struct seated_grid {
  std::vector<std::uint32_t> extents;
  std::vector<rank_t> ranks;  ///< by cell, last coordinate fastest; `invalid_rank`: empty
};

/// Assigns a cell to each rank. If it is occupied, the rank gets a free cell next to most of its
/// neighbours.
///
/// @return empty if under 3/4 of the ranks are placed, or the grid has too few cells or over four
/// per rank
[[nodiscard]] std::optional<seated_grid> seated(const grown_grid& grown,
                                                const neighbour_lists& faces);

}  // namespace acre::mapping
