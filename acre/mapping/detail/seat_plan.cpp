#include <acre/mapping/detail/seat_plan.hpp>

#include <cstddef>
#include <utility>

namespace acre::mapping {

seat_plan plan_of(const machine& where, const slot_order& from, std::uint32_t slots_a_seat) {
  std::vector<topology::node_t> nodes;
  std::vector<std::uint32_t> places;
  for (std::size_t first = 0; first < from.slots.size(); first += slots_a_seat) {
    const topology::node_t node = where.allocation.node_of(from.slots[first]);
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    places.push_back(static_cast<std::uint32_t>(nodes.size() - 1));
  }
  std::vector<std::uint32_t> windows;
  for (const std::uint32_t size : from.sizes) {
    if (size > slots_a_seat) windows.push_back(size / slots_a_seat);
  }
  return {.places = std::move(places), .nodes = std::move(nodes), .windows = std::move(windows)};
}

seat_plan plan_of_slots(const machine& where) {
  seat_plan plan;
  for (const auto& share : where.allocation.shares()) {
    plan.places.insert(plan.places.end(), share.slots,
                       static_cast<std::uint32_t>(plan.nodes.size()));
    plan.nodes.push_back(share.node);
  }
  return plan;
}

}  // namespace acre::mapping
