// Annealing of one level of multilevel mapping.
//
// Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, 1983.
#pragma once

#include <acre/mapping/budget.hpp>
#include <acre/mapping/detail/seating.hpp>

#include <cstdint>
#include <optional>
#include <random>

namespace acre::mapping {

/// How warm annealing is, in parts of what an exchange costs that costs something, and how long.
struct annealing_course {
  double hottest;
  double coldest;
  double trials_a_rank;
};

/// Exchanges of ranks with who sits near one of their peers.
class level_annealing {
 public:
  level_annealing(const seat_plan& where, seating& now, budget& left, std::mt19937_64& random)
      : where_(where), now_(now), left_(left), random_(random) {}

  void anneal(const annealing_course& course);

  /// Until no exchange with who sits in the group of a peer costs less.
  void go_downhill();

 private:
  [[nodiscard]] std::optional<std::uint32_t> seat_near_peer(rank_t rank);
  [[nodiscard]] double usual_rise();

  const seat_plan& where_;
  seating& now_;
  budget& left_;
  std::mt19937_64& random_;
};

}  // namespace acre::mapping
