// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/multilevel.hpp>

#include <acre/mapping/budget.hpp>
#include <acre/mapping/detail/coarsening.hpp>
#include <acre/mapping/detail/level_annealing.hpp>
#include <acre/mapping/detail/loaded_seating.hpp>
#include <acre/mapping/detail/priced_seating.hpp>
#include <acre/mapping/structured.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace acre::mapping {
namespace {

using seat_list = std::vector<std::uint32_t>;

std::uint32_t smallest_factor(std::uint32_t number) {
  for (std::uint32_t factor = 2; factor * factor <= number; ++factor) {
    if (number % factor == 0) return factor;
  }
  return number;
}

/// Reserves time for the final passes over all traffic.
effort shortened(effort given, const traffic& flows) {
  constexpr double milliseconds_a_flow = 5e-4;
  const std::chrono::milliseconds after(
      static_cast<std::int64_t>(milliseconds_a_flow * static_cast<double>(flows.flows())));
  given.at_most -= std::min(given.at_most, after);
  return given;
}

/// Members receive the seats of their group's seat.
///
/// @param before kept by groups that stay
seat_list apart(const coarse_level& level, const seat_list& seats, std::uint32_t size,
                const seat_list& before) {
  seat_list finer = before;
  for (std::size_t group = 0; group < seats.size(); ++group) {
    if (level.stays[group]) continue;
    std::uint32_t seat = seats[group] * size;
    for (const rank_t member : level.members[group]) finer[member] = seat++;
  }
  return finer;
}

template <class Seating>
class rounds {
 public:
  rounds(const problem& given, const effort& effort)
      : given_(given),
        order_(slots_by_group(given.where)),
        pairs_(both_ways(given.what.traffic)),
        left_(shortened(effort, given.what.traffic)),
        random_(effort.seed) {
    std::uint32_t slots = 1;
    add_level(slots);
    while (!machine_.back().plan.windows.empty()) {
      sizes_.push_back(smallest_factor(machine_.back().plan.windows.front()));
      slots *= sizes_.back();
      add_level(slots);
    }
    // On the topmost level all seats are equivalent, so it is dropped.
    if (machine_.size() > 1) machine_.pop_back();
  }

  seat_list from_nothing() {
    seat_list any;
    for (std::uint32_t seat = 0; any.size() < pairs_.ranks(); ++seat) {
      if (order_.slots[seat] != slot_order::missing) any.push_back(seat);
    }
    return round(any, {.hottest = 1, .coldest = coldest, .trials_a_rank = Seating::trials}, true,
                 machine_.size() - 1);
  }

  /// Keeps the best; after three rounds in vain, rounds become longer.
  seat_list improved(seat_list best) {
    constexpr double worth_it = 1e-3;
    constexpr unsigned most_in_vain = 3;
    constexpr unsigned most_longer = 4;
    double least = cost(best);
    std::uniform_real_distribution<double> chance;
    annealing_course course{.hottest = 0, .coldest = coldest, .trials_a_rank = Seating::trials};
    unsigned in_vain = 0;
    for (unsigned longer = 0; longer < most_longer && !left_.spent();) {
      course.hottest =
          Seating::coolest * std::pow(Seating::warmest / Seating::coolest, chance(random_));
      seat_list next = round(best, course, false, some_depth());
      const double now = cost(next);
      in_vain = now < least * (1 - worth_it) ? 0 : in_vain + 1;
      if (in_vain == 0) longer = 0;
      if (in_vain == most_in_vain) {
        in_vain = 0;
        ++longer;
        course.trials_a_rank *= 2;
      }
      if (now > least) continue;
      least = now;
      best = std::move(next);
    }
    return best;
  }

  [[nodiscard]] double cost(const seat_list& seats) {
    machine_level& finest = machine_[0];
    return Seating(Seating::finest(given_, pairs_), finest.plan, finest.prices, seats).norm();
  }

  [[nodiscard]] seat_list seats_of(const placement& places) const {
    seat_list seat_of_slot(order_.slots.size());
    for (std::uint32_t seat = 0; seat < order_.slots.size(); ++seat) {
      if (order_.slots[seat] != slot_order::missing) seat_of_slot[order_.slots[seat]] = seat;
    }
    seat_list seats;
    seats.reserve(places.size());
    for (const topology::slot_t slot : places) seats.push_back(seat_of_slot[slot]);
    return seats;
  }
  [[nodiscard]] placement placed(const seat_list& seats) const {
    placement places;
    places.reserve(seats.size());
    for (const std::uint32_t seat : seats) places.push_back(order_.slots[seat]);
    return places;
  }

 private:
  /// Levels to coarsen. If nodes of a group differ, half of the rounds move single ranks.
  std::size_t some_depth() {
    if (order_.alike) return machine_.size() - 1;
    return random_() % 2 != 0 ? 0 : static_cast<std::size_t>(random_() % machine_.size());
  }

  struct machine_level {
    seat_plan plan;
    typename Seating::prices prices;
  };

  void add_level(std::uint32_t slots_a_seat) {
    seat_plan plan = plan_of(given_.where, order_, slots_a_seat);
    typename Seating::prices prices(given_.where, plan.nodes);
    machine_.push_back({.plan = std::move(plan), .prices = std::move(prices)});
  }

  static constexpr double coldest = 0.01;

  /// @param everywhere true: groups any ranks; false: only those on neighbouring seats
  /// @param depth      number of levels to coarsen
  seat_list round(const seat_list& start, const annealing_course& course, bool everywhere,
                  std::size_t depth) {
    std::vector<coarse_level> levels;
    const auto sat = [&](std::size_t i) -> const seat_list& {
      return i == 0 ? start : levels[i - 1].seat_of;
    };
    for (std::size_t i = 0; i < depth && !left_.is_over(); ++i) {
      const seat_plan& plan = machine_[i].plan;
      const auto count = static_cast<std::uint32_t>(plan.places.size());
      levels.push_back(grouped_within(pairs_at(levels, i), sat(i), machine_[i + 1].plan.is_whole,
                                      everywhere ? count : plan.windows.front(), sizes_[i],
                                      random_));
    }
    seat_list seats = sat(levels.size());
    for (std::size_t i = levels.size(); i > 0; --i) {
      seats = annealed(pairs_at(levels, i), machine_[i], std::move(seats), course);
      seats = apart(levels[i - 1], seats, sizes_[i - 1], sat(i - 1));
    }
    return annealed(Seating::finest(given_, pairs_), machine_[0], std::move(seats), course);
  }

  [[nodiscard]] const traffic& pairs_at(const std::vector<coarse_level>& levels,
                                        std::size_t level) const {
    return level == 0 ? pairs_ : levels[level - 1].pairs;
  }

  seat_list annealed(const traffic& pairs, machine_level& where, seat_list start,
                     const annealing_course& course) {
    Seating now(pairs, where.plan, where.prices, std::move(start));
    level_annealing<Seating> annealing(where.plan, now, left_, random_);
    annealing.anneal(course);
    if (&where == machine_.data()) annealing.go_downhill();
    return now.seats_taken();
  }

  const problem& given_;
  slot_order order_;
  traffic pairs_;
  std::vector<machine_level> machine_;
  std::vector<std::uint32_t> sizes_;
  budget left_;
  std::mt19937_64 random_;
};

template <class Seating>
placement from_nothing(const problem& given, const effort& effort) {
  rounds<Seating> some(given, effort);
  return some.placed(some.improved(some.from_nothing()));
}

template <class Seating>
placement from_start(const problem& given, placement start, const effort& effort) {
  rounds<Seating> some(given, effort);
  const seat_list before = some.seats_of(start);
  const seat_list after = some.improved(before);
  return some.cost(after) < some.cost(before) ? some.placed(after) : std::move(start);
}

}  // namespace

placement multilevel(const problem& given, const effort& effort) {
  require_slots(given);
  if (given.what.traffic.flows() == 0) return packed(given);
  return given.goal == objective::cost ? from_nothing<priced_seating>(given, effort)
                                       : from_nothing<loaded_seating>(given, effort);
}

placement anneal_levels(const problem& given, placement start, const effort& effort) {
  require_slots(given);
  return given.goal == objective::cost
             ? from_start<priced_seating>(given, std::move(start), effort)
             : from_start<loaded_seating>(given, std::move(start), effort);
}

}  // namespace acre::mapping
