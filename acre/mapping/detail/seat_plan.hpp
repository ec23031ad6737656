// SPDX-License-Identifier: BSD-3-Clause
// The seats of one level of multilevel mapping.
//
// Seats stand in an order in which those of a node, of a blade and of a group follow
// each other. On the finest level each is a slot; on coarser ones it has room for a
// group of ranks, and at last for all of a node or of several.
#pragma once

#include <acre/mapping/detail/slot_order.hpp>

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct seat_plan {
  std::vector<std::uint32_t> places;    ///< of each seat: the node, or the first of its nodes
  std::vector<topology::node_t> nodes;  ///< of each place
  /// Of each seat, whether all slots that it stands for are there.
  std::vector<bool> is_whole;
  /// Of how many seats the groups are that have several, the smallest first.
  std::vector<std::uint32_t> windows;
};

/// @param slots_a_seat divides the sizes of `from` that are larger, and is divided by the others
[[nodiscard]] seat_plan plan_of(const machine& where, const slot_order& from,
                                std::uint32_t slots_a_seat);

/// A seat is a slot, in the order of the slots.
[[nodiscard]] seat_plan plan_of_slots(const machine& where);

}  // namespace acre::mapping
