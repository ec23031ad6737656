// Ranks, or groups of them, on seats: one level of multilevel mapping.
//
// Seats stand in an order in which those of a node, of a blade and of a group follow
// each other. On the finest level each is a slot; on coarser ones it has room for a
// group of ranks, and at last for all of a node or of several.
#pragma once

#include <acre/mapping/detail/cost_table.hpp>
#include <acre/mapping/detail/slot_order.hpp>
#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

struct seat_plan {
  cost_table costs;                   ///< between places
  std::vector<std::uint32_t> places;  ///< of each seat: the node, or the first of its nodes
  /// Of how many seats the groups are that have several, the smallest first.
  std::vector<std::uint32_t> windows;
};

/// @param slots_a_seat divides the sizes of `from` that are larger, and is divided by the others
[[nodiscard]] seat_plan plan_of(const machine& where, const slot_order& from,
                                std::uint32_t slots_a_seat);

/// Who sits where, and what that costs, kept true while they change places.
class seating {
 public:
  /// Both must outlive this.
  /// @param pairs   both ways, as both_ways() makes them
  /// @param seat_of of each that sits
  seating(const traffic& pairs, const seat_plan& where, std::vector<std::uint32_t> seat_of);

  [[nodiscard]] double cost() const noexcept { return cost_; }
  [[nodiscard]] const std::vector<std::uint32_t>& seats_taken() const noexcept { return seat_of_; }
  [[nodiscard]] std::uint32_t seat_of(rank_t rank) const { return seat_of_[rank]; }
  [[nodiscard]] rank_t ranks() const noexcept { return pairs_.ranks(); }
  [[nodiscard]] std::span<const traffic::flow> peers(rank_t rank) const {
    return pairs_.from(rank);
  }

  /// By how much it would cost more if one changed with who sits on a seat, if anybody does.
  [[nodiscard]] double rise(rank_t rank, std::uint32_t seat) const {
    const std::uint32_t here = place_[rank];
    const std::uint32_t there = where_.places[seat];
    if (here == there) return 0;
    const rank_t other = on_[seat];
    double change = difference(rank, there, here, other);
    if (other != nobody) change += difference(other, here, there, rank);
    return change;
  }
  void exchange(rank_t rank, std::uint32_t seat, double rise);

 private:
  /// What the messages of one cost from a place, less what they cost from another one; those to
  /// `but` left out.
  [[nodiscard]] double difference(rank_t rank, std::uint32_t from, std::uint32_t less,
                                  rank_t but) const {
    double sum = 0;
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (to == but) continue;
      const std::uint32_t there = place_[to];
      sum += bytes * (where_.costs.between(from, there) - where_.costs.between(less, there));
    }
    return sum;
  }
  void sit(rank_t rank, std::uint32_t seat) {
    seat_of_[rank] = seat;
    place_[rank] = where_.places[seat];
    on_[seat] = rank;
  }

  const traffic& pairs_;
  const seat_plan& where_;
  std::vector<std::uint32_t> seat_of_;
  std::vector<std::uint32_t> place_;  ///< of each that sits
  std::vector<rank_t> on_;            ///< each seat
  double cost_ = 0;
};

}  // namespace acre::mapping
