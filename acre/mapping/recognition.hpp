// SPDX-License-Identifier: BSD-3-Clause
// Recognises structure in traffic without a grid, in this order:
// - a row-major grid (detail/numbered_grid.hpp);
// - a tree, path or ring;
// - a grid, torus or hypercube in any order (detail/grid_growth.hpp), also with wide stencils
// (detail/face_neighbours.hpp);
// - all-to-all rows, columns, or both;
// - several of these with little traffic between them (detail/several_grids.hpp).
//
// Tolerates missing neighbours, other traffic and empty cells; also tries heavier messages alone.
#pragma once

#include <acre/mapping/communication.hpp>
#include <acre/mapping/recognised_structure.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace acre::mapping {

/// Returns the structure that explains most bytes; empty below half (several grids, empty cells:
/// 3/4). O(flows * (peers per rank)^2) time; skips searches of over 1e9 steps or 64 peers per rank
/// on average. Ranks of very many peers receive the remaining cells.
///
/// @param until end of the search; earlier results count
[[nodiscard]] std::optional<recognised_structure> recognise(
    const traffic& flows,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

/// Describes a given grid and the fraction of the traffic that it explains.
///
/// @param pairs symmetric traffic from both_ways()
[[nodiscard]] recognised_structure described_grid(const traffic& pairs,
                                                  std::vector<std::uint32_t> extents,
                                                  std::vector<rank_t> ranks);

}  // namespace acre::mapping
