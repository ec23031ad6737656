// SPDX-License-Identifier: BSD-3-Clause
// Structure in traffic of which only the numbers are known, as a trace has them.
//
// What is done for a grid of ranks can be done for traffic from a file when one knows in which grid
// its ranks stand. Looked for, in this order:
//  - a grid in which the ranks are numbered row by row, as MPI_Cart_create numbers them
//    (detail/numbered_grid.hpp);
//  - a grid, a torus or a hypercube, whatever the order of its ranks (detail/grid_growth.hpp), also
//    with diagonals and farther neighbours (detail/face_neighbours.hpp);
//  - rows, columns, or both, each of which talks all to all;
//  - a tree, a path or a ring: its ranks in an order in which those that are near each other follow
//    each other;
//  - several of these that hardly talk to each other (detail/several_grids.hpp).
// A part of the neighbours may be missing, some traffic may go elsewhere, and cells of a grid may
// be empty. Where the heavier messages have a structure which all of them together have not, that
// one is found.
#pragma once

#include <acre/mapping/communication.hpp>
#include <acre/mapping/recognised_structure.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace acre::mapping {

/// O(flows * (peers of a rank)^2) time; nothing is looked for where that is above a billion, or a
/// rank has more than 64 peers on the average. Ranks of very many peers get the places that are
/// left.
/// @param until what is not found by then is not looked for
[[nodiscard]] std::optional<recognised_structure> recognise(
    const traffic& flows,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

/// A grid in whose cells the ranks are known, and what it explains of traffic.
/// @param pairs both ways, as both_ways() makes them
[[nodiscard]] recognised_structure described_grid(const traffic& pairs,
                                                  std::vector<std::uint32_t> extents,
                                                  std::vector<rank_t> ranks);

}  // namespace acre::mapping
