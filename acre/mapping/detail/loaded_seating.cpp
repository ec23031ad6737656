// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/loaded_seating.hpp>

#include <cmath>
#include <utility>

namespace acre::mapping {

using topology::link_t;

loaded_seating::loaded_seating(const traffic& flows, const seat_plan& where, prices& routes,
                               std::vector<std::uint32_t> seat_of)
    : seating(where, std::move(seat_of)),
      routes_(routes),
      exchanges_(flows),
      links_(routes.links()) {
  for (rank_t rank = 0; rank < ranks(); ++rank) {
    for (const traffic::flow& each : flows.from(rank)) {
      for (const link_t link : routes.between(place_of(rank), place_of(each.to))) {
        links_[link].load += each.bytes * routes.seconds(link);
      }
    }
  }
  const double largest = links_.empty() ? 0 : links_[busiest()].load;
  if (largest > 0) share_a_second_ = 1 / largest;
  for (const link_state& each : links_) energy_ += energy_of(each.load);
}

link_t loaded_seating::busiest() const {
  return static_cast<link_t>(std::ranges::max_element(links_, {}, &link_state::load) -
                             links_.begin());
}

double loaded_seating::norm() const { return std::pow(energy_, 1.0 / 8) / share_a_second_; }

double loaded_seating::rise(rank_t rank, std::uint32_t seat) {
  forget_changes();
  const rank_t other = on(seat);
  const std::uint32_t here = place_of(rank);
  const std::uint32_t there = place_of_seat(seat);
  if (here == there) return 0;
  shift(rank, here, there, other, invalid_rank);
  if (other != invalid_rank) shift(other, there, here, rank, rank);
  double sum = 0;
  for (const link_t link : touched_) {
    const link_state& each = links_[link];
    if (each.change != 0) sum += energy_of(each.changed()) - energy_of(each.load);
  }
  return sum;
}

void loaded_seating::exchange(rank_t rank, std::uint32_t seat, double rise) {
  for (const link_t link : touched_) links_[link].load = links_[link].changed();
  energy_ += rise;
  change_places(rank, seat);
  forget_changes();
}

std::vector<rank_t> loaded_seating::users_of(link_t link) {
  std::vector<rank_t> users;
  for (rank_t rank = 0; rank < ranks(); ++rank) {
    for (const exchanges::flow& each : exchanges_.of(rank)) {
      if (!each.out) continue;
      const std::span<const link_t> crossed = routes_.between(place_of(rank), place_of(each.to));
      if (std::ranges::find(crossed, link) != crossed.end()) {
        users.push_back(rank);
        users.push_back(each.to);
      }
    }
  }
  std::ranges::sort(users);
  const auto doubled = std::ranges::unique(users);
  users.erase(doubled.begin(), doubled.end());
  return users;
}

void loaded_seating::forget_changes() {
  for (const link_t link : touched_) {
    links_[link].change = 0;
    links_[link].touched = false;
  }
  touched_.clear();
}

/// @param swapped rank that moves to `from`
/// @param done    rank whose flows are already moved
void loaded_seating::shift(rank_t rank, std::uint32_t from, std::uint32_t to, rank_t swapped,
                           rank_t done) {
  for (const exchanges::flow& each : exchanges_.of(rank)) {
    if (each.to == done) continue;
    const std::uint32_t before = place_of(each.to);
    const std::uint32_t after = each.to == swapped ? from : before;
    if (each.out) {
      replace(routes_.between(from, before), to, after, each.bytes);
    } else {
      replace(routes_.between(before, from), after, to, each.bytes);
    }
  }
}

void loaded_seating::replace(std::span<const link_t> route, std::uint32_t from, std::uint32_t to,
                             double bytes) {
  left_.assign(route.begin(), route.end());
  std::span<const link_t> less = left_;
  std::span<const link_t> more = routes_.between(from, to);
  while (!less.empty() && !more.empty() && less.back() == more.back()) {
    less = less.first(less.size() - 1);
    more = more.first(more.size() - 1);
  }
  while (!less.empty() && !more.empty() && less.front() == more.front()) {
    less = less.subspan(1);
    more = more.subspan(1);
  }
  for (const link_t link : less) change(link, -bytes);
  for (const link_t link : more) change(link, bytes);
}

void loaded_seating::change(link_t link, double bytes) {
  link_state& state = links_[link];
  if (!std::exchange(state.touched, true)) touched_.push_back(link);
  state.change += bytes * routes_.seconds(link);
}

}  // namespace acre::mapping
