// SPDX-License-Identifier: BSD-3-Clause
// Reconstructs a grid from neighbour lists, starting at a rank with neighbours in all directions.
// Two placed neighbours locate the corner of a square; the last neighbour receives the free
// direction. This tolerates some wrong or missing neighbours.
#pragma once

#include <acre/mapping/detail/deadline.hpp>
#include <acre/mapping/detail/grid_seating.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

#include <optional>
#include <vector>

namespace acre::mapping {

/// O(ranks * neighbours^2) time.
///
/// @param faces neighbours one step away in one dimension
/// @param all   neighbours by all steps; these place ranks that faces cannot
/// @return as seated()
/// @throws too_late
[[nodiscard]] std::optional<seated_grid> grow_grid(const neighbour_lists& faces,
                                                   const neighbour_lists& all, deadline& end);

/// Part number of each rank, grown one after the other. Other ranks have a number each.
/// @throws too_late
[[nodiscard]] std::vector<rank_t> grown_parts(neighbour_lists faces, deadline& end);

}  // namespace acre::mapping
