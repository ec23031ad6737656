// Finds the grid that ranks stand in, from who their neighbours are.
//
// From a rank whose neighbours show all directions, others are given coordinates by what is known
// of their neighbours: who closes a square has the fourth corner, and who is the only one left
// beside a rank of which one direction is free, is there. Steps that go around a border show how
// long the grid is. In such a way a few neighbours that are too many or missing do no harm: a place
// is given where two neighbours agree.
#pragma once

#include <acre/mapping/curve.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace acre::mapping::detail {

struct grown_grid {
  std::vector<std::uint32_t> extents;  ///< their product is the number of ranks
  std::vector<rank_t> ranks;           ///< of each cell, the last coordinate running fastest
};

/// O(ranks * neighbours^2) time.
/// @return nothing where no grid is found that most ranks have a place in
[[nodiscard]] std::optional<grown_grid> grow_grid(const neighbour_lists& neighbours);

}  // namespace acre::mapping::detail
