// SPDX-License-Identifier: BSD-3-Clause
// Simulated annealing on one level of the machine (Kirkpatrick, Gelatt, Vecchi: Optimization by
// simulated annealing, 1983).
#pragma once

#include <acre/mapping/budget.hpp>
#include <acre/mapping/detail/seat_plan.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <utility>

namespace acre::mapping {

/// Temperatures relative to the mean rise of unfavourable exchanges.
struct annealing_course {
  double hottest;
  double coldest;
  double trials_a_rank;
};

template <class Seating>
class level_annealing {
 public:
  level_annealing(const seat_plan& where, Seating& now, budget& left, std::mt19937_64& random)
      : where_(where), now_(now), left_(left), random_(random) {}

  void anneal(const annealing_course& course);

  void go_downhill();

 private:
  [[nodiscard]] std::optional<std::uint32_t> seat_near_peer(rank_t rank);
  [[nodiscard]] double usual_rise();
  [[nodiscard]] bool may_change(rank_t rank, std::uint32_t seat) const {
    return where_.is_whole[seat] && where_.is_whole[now_.seat_of(rank)];
  }

  const seat_plan& where_;
  Seating& now_;
  budget& left_;
  std::mt19937_64& random_;
};

/// Random seat near a random peer: mostly in its smallest group; without groups, at most 4 seats
/// away.
template <class Seating>
std::optional<std::uint32_t> level_annealing<Seating>::seat_near_peer(rank_t rank) {
  const auto peers = now_.peers(rank);
  if (peers.empty()) return std::nullopt;
  const std::uint32_t near = now_.seat_of(peers[random_() % peers.size()].to);
  if (where_.windows.empty()) {
    constexpr std::uint32_t reach = 4;
    const std::uint32_t first = near - std::min(near, reach);
    const auto last = std::min<std::size_t>(near + reach, where_.places.size() - 1);
    return static_cast<std::uint32_t>(first + random_() % (last - first + 1));
  }
  std::size_t size = 0;
  while (size + 1 < where_.windows.size() && random_() % 4 == 0) ++size;
  const std::uint32_t window = where_.windows[size];
  return near - near % window + static_cast<std::uint32_t>(random_() % window);
}

template <class Seating>
double level_annealing<Seating>::usual_rise() {
  constexpr unsigned draws = 512;
  double sum = 0;
  unsigned counted = 0;
  for (unsigned i = 0; i < draws; ++i) {
    const auto rank = static_cast<rank_t>(random_() % now_.ranks());
    const auto seat = seat_near_peer(rank);
    const double rise = seat && may_change(rank, *seat) ? now_.rise(rank, *seat) : 0;
    if (rise <= 0) continue;
    sum += rise;
    ++counted;
  }
  return counted == 0 ? 0 : sum / counted;
}

template <class Seating>
void level_annealing<Seating>::anneal(const annealing_course& course) {
  if (now_.ranks() == 0) return;
  const double usual = usual_rise();
  const double trials = course.trials_a_rank * now_.ranks();
  std::uniform_real_distribution<double> chance;
  double heat = 0;
  for (std::uint64_t trial = 0; static_cast<double>(trial) < trials && !left_.spent(); ++trial) {
    if (trial % 256 == 0) {
      const double share = static_cast<double>(trial) / trials;
      heat = usual * course.hottest * std::pow(course.coldest / course.hottest, share);
    }
    const auto rank = static_cast<rank_t>(random_() % now_.ranks());
    const auto seat = seat_near_peer(rank);
    if (!seat || !may_change(rank, *seat)) continue;
    const double rise = now_.rise(rank, *seat);
    if (rise > 0 && chance(random_) >= std::exp(-rise / heat)) continue;
    now_.exchange(rank, *seat, rise);
  }
}

template <class Seating>
void level_annealing<Seating>::go_downhill() {
  const std::uint32_t window = where_.windows.empty() ? 1 : where_.windows.front();
  const auto group_of = [&](rank_t rank) { return now_.seat_of(rank) / window; };
  for (bool found = true; found;) {
    found = false;
    for (rank_t rank = 0; rank < now_.ranks(); ++rank) {
      double least = -1e-12 * now_.cost();
      std::uint32_t best = now_.seat_of(rank);
      for (const auto& each : now_.peers(rank)) {
        if (group_of(each.to) == group_of(rank)) continue;
        const std::uint32_t first = group_of(each.to) * window;
        for (std::uint32_t seat = first; seat < first + window; ++seat) {
          if (left_.spent()) return;
          if (!may_change(rank, seat)) continue;
          const double rise = now_.rise(rank, seat);
          if (rise < least) std::tie(least, best) = std::pair(rise, seat);
        }
      }
      if (best == now_.seat_of(rank)) continue;
      now_.exchange(rank, best, now_.rise(rank, best));
      found = true;
    }
  }
}

}  // namespace acre::mapping
