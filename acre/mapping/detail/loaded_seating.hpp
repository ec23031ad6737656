// SPDX-License-Identifier: BSD-3-Clause
// Seats of ranks or groups, with link loads kept current.
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

/// The cost is an energy (refine.hpp).
class loaded_seating : public seating {
 public:
  using prices = route_table;
  static constexpr double coolest = 0.01;
  static constexpr double warmest = 0.1;
  static constexpr double trials = 20;

  /// All references must outlive this.
  loaded_seating(const traffic& flows, const seat_plan& where, prices& routes,
                 std::vector<std::uint32_t> seat_of);

  static const traffic& finest(const problem& given, const traffic&) { return given.what.traffic; }

  [[nodiscard]] double cost() const noexcept { return energy_; }
  /// Comparable between seatings, roughly seconds.
  [[nodiscard]] double norm() const;
  [[nodiscard]] std::span<const exchanges::flow> peers(rank_t rank) const {
    return exchanges_.of(rank);
  }
  [[nodiscard]] topology::link_t busiest() const;
  [[nodiscard]] std::vector<rank_t> users_of(topology::link_t link);

  /// Change of energy if `rank` moves to `seat`, in exchange with its occupant if any.
  [[nodiscard]] double rise(rank_t rank, std::uint32_t seat);
  void exchange(rank_t rank, std::uint32_t seat, double rise);

 private:
  struct link_state {
    double load = 0;
    double change = 0;
    bool touched = false;

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
  std::vector<topology::link_t> left_;
  double share_a_second_ = 1;
  double energy_ = 0;
};

}  // namespace acre::mapping
