// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/seat_plan.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace acre::mapping {

seat_plan plan_of(const machine& where, const slot_order& from, std::uint32_t slots_a_seat) {
  seat_plan plan;
  const std::span slots(from.slots);
  for (std::size_t first = 0; first < slots.size(); first += slots_a_seat) {
    const auto here = slots.subspan(first, slots_a_seat);
    // A short group lacks slots at its end. A seat without any slot gets the node before.
    const topology::node_t node = here.front() == slot_order::missing
                                      ? plan.nodes.back()
                                      : where.allocation.node_of(here.front());
    if (plan.nodes.empty() || plan.nodes.back() != node) plan.nodes.push_back(node);
    plan.places.push_back(static_cast<std::uint32_t>(plan.nodes.size() - 1));
    plan.is_whole.push_back(std::ranges::find(here, slot_order::missing) == here.end());
  }
  for (const std::uint32_t size : from.sizes) {
    if (size > slots_a_seat) plan.windows.push_back(size / slots_a_seat);
  }
  return plan;
}

seat_plan plan_of_slots(const machine& where) {
  seat_plan plan;
  for (const auto& share : where.allocation.shares()) {
    plan.places.insert(plan.places.end(), share.slots,
                       static_cast<std::uint32_t>(plan.nodes.size()));
    plan.nodes.push_back(share.node);
  }
  plan.is_whole.assign(plan.places.size(), true);
  return plan;
}

}  // namespace acre::mapping
