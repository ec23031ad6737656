// SPDX-License-Identifier: BSD-3-Clause
// Assignment of ranks to seats, without shared seats.
#pragma once

#include <acre/mapping/detail/seat_plan.hpp>
#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace acre::mapping {

class seating {
 public:
  [[nodiscard]] const std::vector<std::uint32_t>& seats_taken() const noexcept { return seat_of_; }
  [[nodiscard]] std::uint32_t seat_of(rank_t rank) const { return seat_of_[rank]; }
  [[nodiscard]] rank_t ranks() const noexcept { return static_cast<rank_t>(seat_of_.size()); }

 protected:
  seating(const seat_plan& where, std::vector<std::uint32_t> seat_of)
      : where_(where),
        seat_of_(std::move(seat_of)),
        place_(seat_of_.size()),
        on_(where.places.size(), invalid_rank) {
    for (rank_t rank = 0; rank < ranks(); ++rank) sit(rank, seat_of_[rank]);
  }

  [[nodiscard]] rank_t on(std::uint32_t seat) const { return on_[seat]; }
  [[nodiscard]] std::uint32_t place_of(rank_t rank) const { return place_[rank]; }
  [[nodiscard]] std::uint32_t place_of_seat(std::uint32_t seat) const {
    return where_.places[seat];
  }

  /// Exchanges `rank` with the occupant of `seat`, if any.
  void change_places(rank_t rank, std::uint32_t seat) {
    const rank_t other = on_[seat];
    const std::uint32_t home = seat_of_[rank];
    on_[home] = invalid_rank;
    sit(rank, seat);
    if (other != invalid_rank) sit(other, home);
  }

 private:
  void sit(rank_t rank, std::uint32_t seat) {
    seat_of_[rank] = seat;
    place_[rank] = where_.places[seat];
    on_[seat] = rank;
  }

  const seat_plan& where_;
  std::vector<std::uint32_t> seat_of_;
  std::vector<std::uint32_t> place_;
  std::vector<rank_t> on_;
};

}  // namespace acre::mapping
