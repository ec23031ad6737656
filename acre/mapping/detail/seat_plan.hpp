// SPDX-License-Identifier: BSD-3-Clause
// Seats of one machine level, ordered by group, blade and node: a slot on the finest level, else
// consecutive slots for one group of ranks.
#pragma once

#include <acre/mapping/detail/slot_order.hpp>

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct seat_plan {
  std::vector<std::uint32_t> places;
  std::vector<topology::node_t> nodes;
  /// For each seat: all of its slots exist.
  std::vector<bool> is_whole;
  std::vector<std::uint32_t> windows;
};

/// @param slots_a_seat divides the larger sizes of `from`, and is a multiple of the others
[[nodiscard]] seat_plan plan_of(const machine& where, const slot_order& from,
                                std::uint32_t slots_a_seat);

[[nodiscard]] seat_plan plan_of_slots(const machine& where);

}  // namespace acre::mapping
