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

/// A communication and a machine. All references must outlive this.
struct problem {
  const communication& what;
  machine where;
  objective goal = objective::time;
  /// Long algorithms throw after this time.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// Long algorithms call this periodically.
///
/// @throws acre::error after `given.until`
void require_time(const problem& given);

/// Measures the traffic of `given` and its phases.
[[nodiscard]] metrics measure(const problem& given, const placement& places);

/// @throws acre::error on too few slots
void require_slots(const problem& given);

/// Default of most launchers: rank i in slot i.
[[nodiscard]] placement packed(const problem& given);

/// Deals ranks to the nodes in turn, one each; full nodes are skipped.
[[nodiscard]] placement round_robin(const problem& given);

/// As round_robin(), but odd rounds run backwards, as Cray's folded order.
[[nodiscard]] placement folded_ranks(const problem& given);

[[nodiscard]] placement random_order(const problem& given, std::uint64_t seed);

/// Indices of the allocation's nodes (in shares()), ordered along `curve` through the network's
/// grid.
///
/// @throws acre::error if the network has no grid
[[nodiscard]] std::vector<std::uint32_t> nodes_along(const machine& where,
                                                     const order_function& curve);

/// Indices of the allocation's nodes, sorted by group from the largest level down; without levels,
/// in list order.
[[nodiscard]] std::vector<std::uint32_t> nodes_by_group(const machine& where);

/// A node (by index in the allocation's shares()) and its number of ranks.
struct seat {
  std::uint32_t place;
  std::uint32_t ranks;
};

/// Fills the nodes of nodes_by_group() one after the other; nodes without ranks are omitted.
[[nodiscard]] std::vector<seat> seats_by_group(const problem& given);

[[nodiscard]] std::uint32_t ranks_in(std::span<const seat> seats);

/// Places ranks one after the other into the slots of the nodes.
///
/// @param ranks each rank once
/// @param nodes indices of the allocation's nodes, each once
/// @param each  slots used per node, skipping nodes with fewer; 0: all
/// @throws acre::error if the slots do not suffice, or an order has a wrong length
[[nodiscard]] placement matched(const problem& given, std::span<const rank_t> ranks,
                                std::span<const std::uint32_t> nodes, std::uint32_t each = 0);

/// As matched(), with the non-empty cells of the communication's grid instead of ranks.
[[nodiscard]] placement matched_cells(const problem& given, std::vector<cell_t> cells,
                                      std::span<const std::uint32_t> nodes, std::uint32_t each = 0);

/// Ranks and nodes along Gray-code curves; nodes of a network without a grid in nodes_by_group().
[[nodiscard]] placement along_gray_codes(const problem& given);

/// Returns up to `most` block shapes of exactly `cells` cells: first those that tile the grid, then
/// by ascending surface. For 24 cells of 24x24x16: 2x3x4 and its tiling permutations, 2x6x2, …
[[nodiscard]] std::vector<std::vector<std::uint32_t>> block_shapes(
    std::span<const std::uint32_t> extents, std::uint32_t cells, std::size_t most);

}  // namespace acre::mapping
