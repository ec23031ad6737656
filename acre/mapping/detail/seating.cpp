#include <acre/mapping/detail/seating.hpp>

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
  return {.costs = cost_table(where, std::move(nodes)),
          .places = std::move(places),
          .windows = std::move(windows)};
}

seating::seating(const traffic& pairs, const seat_plan& where, std::vector<std::uint32_t> seat_of)
    : pairs_(pairs),
      where_(where),
      seat_of_(std::move(seat_of)),
      place_(seat_of_.size()),
      on_(where.places.size(), nobody) {
  for (rank_t rank = 0; rank < seat_of_.size(); ++rank) sit(rank, seat_of_[rank]);
  for (rank_t rank = 0; rank < seat_of_.size(); ++rank) {
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      cost_ += bytes * where_.costs.between(place_[rank], place_[to]) / 2;
    }
  }
}

void seating::exchange(rank_t rank, std::uint32_t seat, double rise) {
  const rank_t other = on_[seat];
  const std::uint32_t home = seat_of_[rank];
  on_[home] = nobody;
  sit(rank, seat);
  if (other != nobody) sit(other, home);
  cost_ += rise;
}

}  // namespace acre::mapping
