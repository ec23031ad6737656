// SPDX-License-Identifier: BSD-3-Clause
// Finds the grid that ranks stand in, from who their neighbours are.
//
// From a rank whose neighbours show all directions, others are given coordinates by what is known
// of their neighbours: who closes a square has the fourth corner, and who is the only one left
// beside a rank of which one direction is free, is there. Steps that go around a border show how
// long the grid is. In such a way a few neighbours that are too many or missing do no harm: a place
// is given where two neighbours agree.
#pragma once

#include <acre/mapping/detail/deadline.hpp>
#include <acre/mapping/detail/grid_seating.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

#include <optional>
#include <vector>

namespace acre::mapping {

/// O(ranks * neighbours^2) time.
/// @param faces those that differ by a step in one dimension
/// @param all   diagonals and farther ones too, should there be any. Ranks that their faces give no
///              place, as at borders, get it by these.
/// @return nothing where no grid is found that most ranks have a place in
/// @throws too_late
[[nodiscard]] std::optional<seated_grid> grow_grid(const neighbour_lists& faces,
                                                   const neighbour_lists& all, deadline& end);

/// Numbers of the parts that can be grown one after the other, of some size; all other ranks have a
/// number of their own. So grids are told from each other that talk here and there.
/// @throws too_late
[[nodiscard]] std::vector<rank_t> grown_parts(neighbour_lists faces, deadline& end);

}  // namespace acre::mapping
