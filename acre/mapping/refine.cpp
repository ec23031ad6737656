// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/refine.hpp>

#include <acre/mapping/budget.hpp>
#include <acre/mapping/detail/loaded_seating.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace acre::mapping {
namespace {

using topology::slot_t;

struct loaded_mapping {
  loaded_mapping(const problem& given, placement places)
      : plan(plan_of_slots(given.where)),
        routes(given.where, plan.nodes),
        now(given.what.traffic, plan, routes, std::move(places)) {}

  seat_plan plan;
  route_table routes;
  loaded_seating now;
};

constexpr double no_change = -1e-12;

/// Each rank on the busiest link makes its best exchange with random slots or its peers' nodes.
void go_downhill(loaded_seating& mapping, const problem& given, budget& left,
                 std::mt19937_64& random) {
  constexpr unsigned drawn_a_rank = 64;
  const auto slots = given.where.allocation.slots();
  bool found = true;
  while (found) {
    found = false;
    for (const rank_t rank : mapping.users_of(mapping.busiest())) {
      const slot_t home = mapping.seat_of(rank);
      slot_t best = home;
      double best_rise = no_change * mapping.cost();
      const auto consider = [&](slot_t slot) {
        if (given.where.allocation.place_of(slot) == given.where.allocation.place_of(home)) return;
        const double rise = mapping.rise(rank, slot);
        if (rise < best_rise) {
          best_rise = rise;
          best = slot;
        }
      };
      for (const traffic::flow& each : given.what.traffic.from(rank)) {
        const std::uint32_t place = given.where.allocation.place_of(mapping.seat_of(each.to));
        const slot_t first = given.where.allocation.first_slot(place);
        for (slot_t s = 0; s < given.where.allocation.shares()[place].slots; ++s) {
          if (left.spent()) return;
          consider(first + s);
        }
      }
      for (unsigned i = 0; i < drawn_a_rank; ++i) {
        if (left.spent()) return;
        consider(static_cast<slot_t>(random() % slots));
      }
      if (best != home) {
        mapping.exchange(rank, best, mapping.rise(rank, best));
        found = true;
      }
    }
  }
}

slot_t drawn_slot(const loaded_seating& mapping, const problem& given, rank_t rank,
                  std::mt19937_64& random) {
  const topology::allocation& allocation = given.where.allocation;
  const auto peers = given.what.traffic.from(rank);
  if (peers.empty() || random() % 4 == 0) return static_cast<slot_t>(random() % allocation.slots());
  const rank_t peer = peers[random() % peers.size()].to;
  const std::uint32_t place = allocation.place_of(mapping.seat_of(peer));
  return static_cast<slot_t>(allocation.first_slot(place) +
                             random() % allocation.shares()[place].slots);
}

placement better_of(const problem& given, placement start, placement changed) {
  const metrics before = measure(given.where, given.what.traffic, start);
  const metrics after = measure(given.where, given.what.traffic, changed);
  return after.better_than(before, given.goal) ? std::move(changed) : std::move(start);
}

}  // namespace

placement descend(const problem& given, placement start, const effort& effort) {
  require_slots(given);
  loaded_mapping loaded(given, start);
  loaded_seating& mapping = loaded.now;
  budget left(effort);
  std::mt19937_64 random(effort.seed);
  go_downhill(mapping, given, left, random);
  return better_of(given, std::move(start), mapping.seats_taken());
}

placement anneal(const problem& given, placement start, const effort& effort) {
  require_slots(given);
  loaded_mapping loaded(given, start);
  loaded_seating& mapping = loaded.now;
  budget left(effort);
  std::mt19937_64 random(effort.seed);
  const auto ranks = given.what.traffic.ranks();
  if (ranks == 0) return start;
  std::uniform_real_distribution<double> chance;
  // First and last temperature, relative to the initial energy.
  constexpr double hottest = 5e-1;
  constexpr double coldest = 1e-3;
  constexpr double share_for_descent = 0.2;
  const double begin = mapping.cost();
  placement best = mapping.seats_taken();
  double least = begin;
  double heat = hottest * begin;
  for (std::uint64_t trial = 0; !left.spent(); ++trial) {
    if (trial % 256 == 0) {
      if (mapping.cost() < least) {
        least = mapping.cost();
        best = mapping.seats_taken();
      }
      const double share = left.share() / (1 - share_for_descent);
      if (share >= 1) break;
      heat = begin * hottest * std::pow(coldest / hottest, share);
    }
    const auto rank = static_cast<rank_t>(random() % ranks);
    const slot_t home = mapping.seat_of(rank);
    const slot_t slot = drawn_slot(mapping, given, rank, random);
    if (given.where.allocation.place_of(slot) == given.where.allocation.place_of(home)) continue;
    const double rise = mapping.rise(rank, slot);
    if (rise > 0 && chance(random) >= std::exp(-rise / heat)) continue;
    mapping.exchange(rank, slot, rise);
  }
  loaded_mapping coldest_found(given, std::move(best));
  go_downhill(coldest_found.now, given, left, random);
  return better_of(given, std::move(start), coldest_found.now.seats_taken());
}

}  // namespace acre::mapping
