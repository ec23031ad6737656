// SPDX-License-Identifier: BSD-3-Clause
// Mappings that follow from the shapes of grid and machine alone, without a look
// at the traffic: O(ranks log ranks) time, O(ranks) memory.
//
// Each takes the ranks in one order and the slots in another, and puts the i-th
// rank into the i-th slot: neighbours in the one become neighbours in the other.
#pragma once

#include <acre/mapping/communication.hpp>
#include <acre/mapping/curve.hpp>
#include <acre/mapping/metrics.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// What is to be mapped, and where to. Both must outlive this.
struct problem {
  const communication& what;
  machine where;
  objective goal = objective::time;
  /// When those who map give up, with an error.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// To be called now and then by whatever takes long.
/// @throws acre::error when the problem's time is over
void require_time(const problem& given);

/// Measures a mapping, phase by phase too.
[[nodiscard]] metrics measure(const problem& given, const placement& places);

/// @throws acre::error when there are more ranks than slots
void require_slots(const problem& given);

/// The default of most launchers: rank i in slot i, node after node.
[[nodiscard]] placement packed(const problem& given);

/// Dealt out: a rank to each node in turn, as long as it has a free slot.
[[nodiscard]] placement round_robin(const problem& given);

/// As Cray's MPI folds: dealt out forth and back, so that with two ranks a node the last ranks sit
/// beside the first.
[[nodiscard]] placement folded_ranks(const problem& given);

/// Any order, each as likely as the others.
[[nodiscard]] placement random_order(const problem& given, std::uint64_t seed);

/// The places of the allocation's nodes in an order of the network's grid: rows, snake, hilbert.
/// @throws acre::error when the network has no grid
[[nodiscard]] std::vector<std::uint32_t> nodes_along(const machine& where,
                                                     const order_function& curve);

/// The places of the allocation's nodes group by group, at each level of the network; in the order
/// of their list where the network has no levels.
[[nodiscard]] std::vector<std::uint32_t> nodes_by_group(const machine& where);

/// A node of the job, by its place in the list, and how many ranks it gets.
struct seat {
  std::uint32_t place;
  std::uint32_t ranks;
};

/// The nodes group by group, each filled before the next; those that get no rank are left out.
[[nodiscard]] std::vector<seat> seats_by_group(const problem& given);

/// The ranks that some nodes get together.
[[nodiscard]] std::uint32_t ranks_in(std::span<const seat> seats);

/// The i-th rank of an order into the i-th slot, nodes being taken in their order.
/// @param ranks each rank of the communication once
/// @param nodes places in the allocation's list, each once
/// @param each  so many slots of each node, and none of a node that has fewer; 0: all slots
/// @throws acre::error when these are too few
[[nodiscard]] placement matched(const problem& given, std::span<const rank_t> ranks,
                                std::span<const std::uint32_t> nodes, std::uint32_t each = 0);

/// The same with the cells of the communication's grid in place of ranks; empty ones are skipped.
[[nodiscard]] placement matched_cells(const problem& given, std::vector<cell_t> cells,
                                      std::span<const std::uint32_t> nodes, std::uint32_t each = 0);

/// The shapes of blocks of `cells` cells, or as few more as the grid allows, that the grid can be
/// cut into, from the one of the least surface on. For a grid of 24x24x16 and 24 cells: 4x3x2 and
/// its turns, 6x2x2, ….
/// @param most how many shapes to return
[[nodiscard]] std::vector<std::vector<std::uint32_t>> block_shapes(
    std::span<const std::uint32_t> extents, std::uint32_t cells, std::size_t most);

}  // namespace acre::mapping
