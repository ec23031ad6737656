// SPDX-License-Identifier: BSD-3-Clause
// From coordinates without bounds, which growth gives to ranks, to the cells of a grid.
//
// Steps that go around a border show how long a dimension is; where there are none, its layers of
// ranks do. Where these make a grid of more cells than there are ranks, some cells stay empty, as
// in models of the ocean that have no ranks on land.
#pragma once

#include <acre/mapping/detail/cell_space.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace acre::mapping {

struct grown_grid {
  cell_space space;
  std::vector<cell> cells;  ///< of each rank; unplaced: none was found
  std::vector<cell> steps;  ///< of a stencil, ascending; none: one cell in each direction
  std::size_t placed = 0;   ///< ranks that have a cell
};

struct seated_grid {
  std::vector<std::uint32_t> extents;
  std::vector<rank_t> ranks;  ///< of each cell, the last coordinate running fastest, or nobody
};

/// All ranks in cells: those without a place, or with that of another, where they fit best.
/// @return nothing where less than three quarters have a place, or of a quarter of the cells
[[nodiscard]] std::optional<seated_grid> seated(const grown_grid& grown,
                                                const neighbour_lists& faces);

}  // namespace acre::mapping
