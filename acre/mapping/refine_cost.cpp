#include <acre/mapping/refine_cost.hpp>

#include <acre/mapping/budget.hpp>
#include <acre/mapping/detail/cost_table.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace acre::mapping {
namespace {

using topology::slot_t;

/// A mapping with what it costs, kept true while ranks change places.
class priced_mapping {
 public:
  priced_mapping(const problem& given, placement places)
      : given_(given),
        pairs_(both_ways(given.what.traffic)),
        costs_(given.where),
        places_(std::move(places)),
        rank_in_(given.where.allocation.slots(), nobody),
        node_(pairs_.ranks()) {
    for (rank_t rank = 0; rank < places_.size(); ++rank) place(rank, places_[rank]);
    for (rank_t rank = 0; rank < places_.size(); ++rank) cost_ += cost_of(rank, node_[rank]) / 2;
  }

  [[nodiscard]] const placement& places() const noexcept { return places_; }
  [[nodiscard]] double cost() const noexcept { return cost_; }
  [[nodiscard]] slot_t slot_of(rank_t rank) const { return places_[rank]; }
  [[nodiscard]] std::span<const traffic::flow> peers(rank_t rank) const {
    return pairs_.from(rank);
  }

  /// By how much the mapping would cost more if a rank changed with what is in a slot.
  [[nodiscard]] double rise(rank_t rank, slot_t slot) const {
    const std::uint32_t here = node_[rank];
    const std::uint32_t there = given_.where.allocation.place_of(slot);
    if (here == there) return 0;
    const rank_t other = rank_in_[slot];
    double change = cost_of(rank, there, other) - cost_of(rank, here, other);
    if (other != nobody) change += cost_of(other, here, rank) - cost_of(other, there, rank);
    return change;
  }

  void exchange(rank_t rank, slot_t slot, double rise) {
    const rank_t other = rank_in_[slot];
    const slot_t home = places_[rank];
    place(rank, slot);
    rank_in_[home] = other;
    if (other != nobody) place(other, home);
    cost_ += rise;
  }

 private:
  /// What a rank's messages cost from a node; those to `but` left out.
  [[nodiscard]] double cost_of(rank_t rank, std::uint32_t from, rank_t but = nobody) const {
    double sum = 0;
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (to != but) sum += bytes * costs_.between(from, node_[to]);
    }
    return sum;
  }
  void place(rank_t rank, slot_t slot) {
    places_[rank] = slot;
    rank_in_[slot] = rank;
    node_[rank] = given_.where.allocation.place_of(slot);
  }

  const problem& given_;
  traffic pairs_;
  cost_table costs_;
  placement places_;
  std::vector<rank_t> rank_in_;
  std::vector<std::uint32_t> node_;  ///< of each rank, its place in the list of shares
  double cost_ = 0;
};

void go_downhill(priced_mapping& mapping, const problem& given, budget& left) {
  const topology::allocation& allocation = given.where.allocation;
  const auto ranks = given.what.traffic.ranks();
  constexpr double no_change = -1e-12;
  bool found = true;
  while (found) {
    found = false;
    for (rank_t rank = 0; rank < ranks; ++rank) {
      slot_t best = mapping.slot_of(rank);
      double least = no_change * mapping.cost();
      for (const traffic::flow& each : mapping.peers(rank)) {
        const std::uint32_t place = allocation.place_of(mapping.slot_of(each.to));
        if (place == allocation.place_of(mapping.slot_of(rank))) continue;
        const slot_t first = allocation.first_slot(place);
        for (slot_t i = 0; i < allocation.shares()[place].slots; ++i) {
          if (left.spent()) return;
          const double rise = mapping.rise(rank, first + i);
          if (rise < least) {
            least = rise;
            best = first + i;
          }
        }
      }
      if (best == mapping.slot_of(rank)) continue;
      mapping.exchange(rank, best, least);
      found = true;
    }
  }
}

}  // namespace

placement descend_cost(const problem& given, placement start, const effort& effort) {
  require_slots(given);
  priced_mapping mapping(given, std::move(start));
  budget left(effort);
  go_downhill(mapping, given, left);
  return mapping.places();
}

placement anneal_cost(const problem& given, placement start, const effort& effort) {
  require_slots(given);
  priced_mapping mapping(given, start);
  const topology::allocation& allocation = given.where.allocation;
  budget left(effort);
  std::mt19937_64 random(effort.seed);
  std::uniform_real_distribution<double> chance;
  const rank_t ranks = given.what.traffic.ranks();
  if (ranks == 0) return start;
  // Of the mean cost of a rank: from exchanges that half of them cost to those that hardly any
  // does.
  constexpr double hottest = 0.05;
  constexpr double coldest = 0.0005;
  constexpr double share_for_descent = 0.1;
  const double mean = mapping.cost() / ranks;
  placement best = mapping.places();
  double least = mapping.cost();
  double heat = hottest * mean;
  for (std::uint64_t trial = 0; !left.spent(); ++trial) {
    if (trial % 256 == 0) {
      if (mapping.cost() < least) {
        least = mapping.cost();
        best = mapping.places();
      }
      const double share = left.share() / (1 - share_for_descent);
      if (share >= 1) break;
      heat = mean * hottest * std::pow(coldest / hottest, share);
    }
    const auto rank = static_cast<rank_t>(random() % ranks);
    const auto peers = mapping.peers(rank);
    if (peers.empty()) continue;
    const rank_t peer = peers[random() % peers.size()].to;
    const std::uint32_t place = allocation.place_of(mapping.slot_of(peer));
    const auto slot = static_cast<slot_t>(allocation.first_slot(place) +
                                          random() % allocation.shares()[place].slots);
    const double rise = mapping.rise(rank, slot);
    if (rise > 0 && chance(random) >= std::exp(-rise / heat)) continue;
    mapping.exchange(rank, slot, rise);
  }
  priced_mapping coldest_found(given, std::move(best));
  go_downhill(coldest_found, given, left);
  return coldest_found.cost() < priced_mapping(given, start).cost() ? coldest_found.places()
                                                                    : std::move(start);
}

}  // namespace acre::mapping
