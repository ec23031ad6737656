// SPDX-License-Identifier: BSD-3-Clause
// Ranks, or groups of them, on seats, and what the links between have to carry.
//
// The energy is the sum over all links of (load / largest load of the beginning)^8: it
// falls when the busiest links get less, and still tells seatings of equal largest load
// apart.
#pragma once

#include <acre/mapping/detail/exchanges.hpp>
#include <acre/mapping/detail/route_table.hpp>
#include <acre/mapping/detail/seating.hpp>
#include <acre/mapping/structured.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Who sits where, with the loads of all links, kept true while they change places.
class loaded_seating : public seating {
 public:
  using prices = route_table;
  /// Where rounds of annealing begin: see annealing_course::hottest.
  static constexpr double coolest = 0.01;
  static constexpr double warmest = 0.1;
  /// A rank's, in the first round.
  static constexpr double trials = 20;

  /// All but the last must outlive this.
  /// @param seat_of of each that sits
  loaded_seating(const traffic& flows, const seat_plan& where, prices& routes,
                 std::vector<std::uint32_t> seat_of);

  /// Of a problem, those that `flows` is to be at the finest level.
  static const traffic& finest(const problem& given, const traffic&) { return given.what.traffic; }

  [[nodiscard]] double cost() const noexcept { return energy_; }
  /// What tells seatings apart that began otherwise: much as the largest load, in seconds.
  [[nodiscard]] double norm() const;
  [[nodiscard]] std::span<const exchanges::flow> peers(rank_t rank) const {
    return exchanges_.of(rank);
  }
  [[nodiscard]] topology::link_t busiest() const;
  /// The ranks whose messages cross a link.
  [[nodiscard]] std::vector<rank_t> users_of(topology::link_t link);

  /// By how much the energy would rise if one changed with who sits on a seat, if anybody does.
  [[nodiscard]] double rise(rank_t rank, std::uint32_t seat);
  /// Does what rise() was asked for last.
  void exchange(rank_t rank, std::uint32_t seat, double rise);

 private:
  struct link_state {
    double load = 0;       ///< seconds
    double change = 0;     ///< of it, by the exchange that was asked for last
    bool touched = false;  ///< by that exchange

    [[nodiscard]] double changed() const { return std::max(0.0, load + change); }
  };

  [[nodiscard]] double energy_of(double load) const noexcept {
    const double share = load * share_a_second_;
    const double square = share * share;
    return square * square * (square * square);
  }
  void forget_changes();
  void shift(rank_t rank, std::uint32_t from, std::uint32_t to, rank_t swapped, rank_t done);
  void replace(std::span<const topology::link_t> route, std::uint32_t from, std::uint32_t to,
               double bytes);
  void change(topology::link_t link, double bytes);

  prices& routes_;
  exchanges exchanges_;
  std::vector<link_state> links_;
  std::vector<topology::link_t> touched_;
  std::vector<topology::link_t> left_;  ///< the route that replace() takes a flow off
  double share_a_second_ = 1;           ///< one over the largest load of the beginning
  double energy_ = 0;
};

}  // namespace acre::mapping
