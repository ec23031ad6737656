// SPDX-License-Identifier: BSD-3-Clause
// Mappings from shapes of grid and machine, without the traffic: rank i of one order goes to slot i
// of another. O(ranks log ranks) time, O(ranks) memory.
#pragma once

#include <acre/mapping/communication.hpp>
#include <acre/mapping/curve.hpp>
#include <acre/mapping/metrics.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Both references must outlive this.
struct problem {
  const communication& what;
  machine where;
  objective goal = objective::time;
  /// Algorithms throw after it.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// Called periodically by long algorithms.
///
/// @throws acre::error after `given.until`
void require_time(const problem& given);

/// Also measures its phases.
[[nodiscard]] metrics measure(const problem& given, const placement& places);

/// @throws acre::error on too few slots
void require_slots(const problem& given);

/// Default of most launchers: rank i in slot i.
[[nodiscard]] placement packed(const problem& given);

/// One rank per node in turn, while slots are free.
[[nodiscard]] placement round_robin(const problem& given);

/// As Cray's MPI folds: round-robin back and forth.
[[nodiscard]] placement folded_ranks(const problem& given);

[[nodiscard]] placement random_order(const problem& given, std::uint64_t seed);

/// Places of the allocation's nodes in an order of the network's grid.
///
/// @throws acre::error if the network has no grid
[[nodiscard]] std::vector<std::uint32_t> nodes_along(const machine& where,
                                                     const order_function& curve);

/// Places of the allocation's nodes by group at each level; list order without levels.
[[nodiscard]] std::vector<std::uint32_t> nodes_by_group(const machine& where);

/// A node, by place in the allocation, and its ranks.
struct seat {
  std::uint32_t place;
  std::uint32_t ranks;
};

/// Nodes by group, each filled before the next; without empty ones.
[[nodiscard]] std::vector<seat> seats_by_group(const problem& given);

[[nodiscard]] std::uint32_t ranks_in(std::span<const seat> seats);

/// Puts rank i of an order into slot i, nodes in their order.
///
/// @param ranks each rank once
/// @param nodes places in the allocation, each once
/// @param each  slots used per node, skipping smaller nodes; 0: all
/// @throws acre::error if these do not suffice
[[nodiscard]] placement matched(const problem& given, std::span<const rank_t> ranks,
                                std::span<const std::uint32_t> nodes, std::uint32_t each = 0);

/// As matched(), for cells of the communication's grid, skipping empty ones.
[[nodiscard]] placement matched_cells(const problem& given, std::vector<cell_t> cells,
                                      std::span<const std::uint32_t> nodes, std::uint32_t each = 0);

/// Up to `most` block shapes of exactly `cells` cells, tiling ones first, then by surface: 4x3x2
/// and its permutations, 6x2x2, … for 24 of 24x24x16.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> block_shapes(
    std::span<const std::uint32_t> extents, std::uint32_t cells, std::size_t most);

}  // namespace acre::mapping
