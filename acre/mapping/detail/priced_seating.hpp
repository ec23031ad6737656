// SPDX-License-Identifier: BSD-3-Clause
// Seats of ranks or groups, with their cost kept current.
#pragma once

#include <acre/mapping/detail/cost_table.hpp>
#include <acre/mapping/detail/seating.hpp>
#include <acre/mapping/structured.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

class priced_seating : public seating {
 public:
  using prices = cost_table;
  static constexpr double coolest = 0.1;
  static constexpr double warmest = 0.16;
  static constexpr double trials = 50;

  /// All references must outlive this.
  ///
  /// @param pairs symmetric
  priced_seating(const traffic& pairs, const seat_plan& where, prices& costs,
                 std::vector<std::uint32_t> seat_of);

  static const traffic& finest(const problem&, const traffic& pairs) { return pairs; }

  [[nodiscard]] double cost() const noexcept { return cost_; }
  [[nodiscard]] double norm() const noexcept { return cost_; }
  [[nodiscard]] std::span<const traffic::flow> peers(rank_t rank) const {
    return pairs_.from(rank);
  }

  /// Change of cost, as loaded_seating::rise().
  [[nodiscard]] double rise(rank_t rank, std::uint32_t seat) const {
    const std::uint32_t here = place_of(rank);
    const std::uint32_t there = place_of_seat(seat);
    if (here == there) return 0;
    const rank_t other = on(seat);
    double change = difference(rank, there, here, other);
    if (other != invalid_rank) change += difference(other, here, there, rank);
    return change;
  }
  void exchange(rank_t rank, std::uint32_t seat, double rise) {
    change_places(rank, seat);
    cost_ += rise;
  }

 private:
  /// Cost of a rank's messages at `from` less that at `less`, without those to `but`.
  [[nodiscard]] double difference(rank_t rank, std::uint32_t from, std::uint32_t less,
                                  rank_t but) const {
    double sum = 0;
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (to == but) continue;
      const std::uint32_t there = place_of(to);
      sum += bytes * (costs_.between(from, there) - costs_.between(less, there));
    }
    return sum;
  }
  const traffic& pairs_;
  prices& costs_;
  double cost_ = 0;
};

}  // namespace acre::mapping
