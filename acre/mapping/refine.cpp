#include <acre/mapping/refine.hpp>

#include <acre/mapping/budget.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace acre::mapping {
namespace {

using topology::link_t;
using topology::node_t;
using topology::slot_t;

/// Flows both ways of each rank: what it sends, and what is sent to it.
class exchanges {
 public:
  struct flow {
    rank_t other;
    double bytes;
    bool out;
  };

  explicit exchanges(const traffic& flows) : first_(std::size_t{flows.ranks()} + 1) {
    for (rank_t rank = 0; rank < flows.ranks(); ++rank) {
      first_[rank + 1] += flows.from(rank).size();
      for (const traffic::flow& each : flows.from(rank)) ++first_[each.to + 1];
    }
    for (std::size_t r = 0; r < flows.ranks(); ++r) first_[r + 1] += first_[r];
    flows_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (rank_t rank = 0; rank < flows.ranks(); ++rank) {
      for (const traffic::flow& each : flows.from(rank)) {
        flows_[next[rank]++] = {.other = each.to, .bytes = each.bytes, .out = true};
        flows_[next[each.to]++] = {.other = rank, .bytes = each.bytes, .out = false};
      }
    }
  }
  [[nodiscard]] std::span<const flow> of(rank_t rank) const {
    return std::span(flows_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<flow> flows_;
};

/// A mapping with the loads of all links, kept true while ranks change places.
class loaded_mapping {
 public:
  loaded_mapping(const problem& given, placement places)
      : given_(given),
        exchanges_(given.what.traffic),
        places_(std::move(places)),
        rank_in_(given.where.allocation.slots(), nobody),
        load_(link_bytes(given.where, given.what.traffic, places_)),
        change_(load_.size()) {
    for (rank_t rank = 0; rank < places_.size(); ++rank) rank_in_[places_[rank]] = rank;
    double largest = 0;
    for (link_t link = 0; link < load_.size(); ++link) {
      load_[link] /= given.where.network.bandwidth(link);
      largest = std::max(largest, load_[link]);
    }
    bar_ = largest == 0 ? 1 : largest;
    for (const double each : load_) energy_ += energy_of(each);
  }

  [[nodiscard]] const placement& places() const noexcept { return places_; }
  [[nodiscard]] double energy() const noexcept { return energy_; }
  [[nodiscard]] rank_t rank_in(slot_t slot) const { return rank_in_[slot]; }
  [[nodiscard]] slot_t slot_of(rank_t rank) const { return places_[rank]; }
  [[nodiscard]] link_t busiest() const {
    return static_cast<link_t>(std::ranges::max_element(load_) - load_.begin());
  }

  /// Exchanges what two slots hold, a rank or nobody.
  /// @return by how much the energy rises
  double exchange(slot_t a, slot_t b) {
    const rank_t first = rank_in_[a];
    const rank_t second = rank_in_[b];
    account(first, second, -1);
    place(first, b);
    place(second, a);
    rank_in_[a] = second;
    rank_in_[b] = first;
    account(first, second, 1);
    double rise = 0;
    for (const link_t link : touched_) {
      if (change_[link] == 0) continue;
      const double now = std::max(0.0, load_[link] + change_[link]);
      rise += energy_of(now) - energy_of(load_[link]);
      load_[link] = now;
      change_[link] = 0;
    }
    touched_.clear();
    energy_ += rise;
    return rise;
  }

  /// The ranks whose messages cross a link.
  [[nodiscard]] std::vector<rank_t> users_of(link_t link) {
    std::vector<rank_t> users;
    for (rank_t rank = 0; rank < places_.size(); ++rank) {
      for (const traffic::flow& each : given_.what.traffic.from(rank)) {
        const std::span<const link_t> crossed = route(rank, each.to);
        if (std::ranges::find(crossed, link) != crossed.end()) {
          users.push_back(rank);
          users.push_back(each.to);
        }
      }
    }
    std::ranges::sort(users);
    const auto doubled = std::ranges::unique(users);
    users.erase(doubled.begin(), doubled.end());
    return users;
  }

 private:
  [[nodiscard]] double energy_of(double load) const noexcept {
    const double square = load / bar_ * (load / bar_);
    return square * square * (square * square);
  }
  [[nodiscard]] node_t node_of(rank_t rank) const {
    return given_.where.allocation.node_of(places_[rank]);
  }
  std::span<const link_t> route(rank_t from, rank_t to) {
    crossed_.clear();
    if (node_of(from) != node_of(to))
      given_.where.network.route(node_of(from), node_of(to), crossed_);
    return crossed_;
  }
  void place(rank_t rank, slot_t slot) {
    if (rank != nobody) places_[rank] = slot;
  }
  /// Takes the flows of two ranks off their links (sign -1) or lays them there (1); those between
  /// the two once.
  void account(rank_t first, rank_t second, int sign) {
    for (const rank_t rank : {first, second}) {
      if (rank == nobody) continue;
      for (const exchanges::flow& each : exchanges_.of(rank)) {
        if (rank == second && each.other == first) continue;
        const auto crossed = each.out ? route(rank, each.other) : route(each.other, rank);
        for (const link_t link : crossed) {
          touched_.push_back(link);
          change_[link] += sign * each.bytes / given_.where.network.bandwidth(link);
        }
      }
    }
  }

  const problem& given_;
  exchanges exchanges_;
  placement places_;
  std::vector<rank_t> rank_in_;
  std::vector<double> load_;
  std::vector<double> change_;
  std::vector<link_t> touched_;
  std::vector<link_t> crossed_;
  double bar_ = 1;
  double energy_ = 0;
};

constexpr double no_change = -1e-12;

/// One user of the busiest link after the other, against slots drawn at random and those of the
/// nodes that it exchanges with; the best of them is taken.
void go_downhill(loaded_mapping& mapping, const problem& given, budget& left,
                 std::mt19937_64& random) {
  constexpr unsigned drawn_a_rank = 64;
  const auto slots = given.where.allocation.slots();
  bool found = true;
  while (found) {
    found = false;
    for (const rank_t rank : mapping.users_of(mapping.busiest())) {
      const slot_t home = mapping.slot_of(rank);
      slot_t best = home;
      double best_rise = no_change * mapping.energy();
      const auto consider = [&](slot_t slot) {
        if (given.where.allocation.place_of(slot) == given.where.allocation.place_of(home)) return;
        const double rise = mapping.exchange(home, slot);
        mapping.exchange(home, slot);
        if (rise < best_rise) {
          best_rise = rise;
          best = slot;
        }
      };
      for (const traffic::flow& each : given.what.traffic.from(rank)) {
        const std::uint32_t place = given.where.allocation.place_of(mapping.slot_of(each.to));
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
        mapping.exchange(home, best);
        found = true;
      }
    }
  }
}

/// Any slot, or one of a node where a peer is.
slot_t drawn_slot(const loaded_mapping& mapping, const problem& given, rank_t rank,
                  std::mt19937_64& random) {
  const topology::allocation& allocation = given.where.allocation;
  const auto peers = given.what.traffic.from(rank);
  if (peers.empty() || random() % 4 == 0) return static_cast<slot_t>(random() % allocation.slots());
  const rank_t peer = peers[random() % peers.size()].to;
  const std::uint32_t place = allocation.place_of(mapping.slot_of(peer));
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
  loaded_mapping mapping(given, start);
  budget left(effort);
  std::mt19937_64 random(effort.seed);
  go_downhill(mapping, given, left, random);
  return better_of(given, std::move(start), mapping.places());
}

placement anneal(const problem& given, placement start, const effort& effort) {
  require_slots(given);
  loaded_mapping mapping(given, start);
  budget left(effort);
  std::mt19937_64 random(effort.seed);
  const auto ranks = given.what.traffic.ranks();
  if (ranks == 0) return start;
  std::uniform_real_distribution<double> chance;
  // From exchanges that raise the energy by half to those that raise it by a thousandth.
  constexpr double hottest = 5e-1;
  constexpr double coldest = 1e-3;
  constexpr double share_for_descent = 0.2;
  const double begin = mapping.energy();
  placement best = mapping.places();
  double least = begin;
  double heat = hottest * begin;
  for (std::uint64_t trial = 0; !left.spent(); ++trial) {
    if (trial % 256 == 0) {
      if (mapping.energy() < least) {
        least = mapping.energy();
        best = mapping.places();
      }
      const double share = left.share() / (1 - share_for_descent);
      if (share >= 1) break;
      heat = begin * hottest * std::pow(coldest / hottest, share);
    }
    const auto rank = static_cast<rank_t>(random() % ranks);
    const slot_t home = mapping.slot_of(rank);
    const slot_t slot = drawn_slot(mapping, given, rank, random);
    if (given.where.allocation.place_of(slot) == given.where.allocation.place_of(home)) continue;
    const double rise = mapping.exchange(home, slot);
    if (rise > 0 && chance(random) >= std::exp(-rise / heat)) mapping.exchange(home, slot);
  }
  loaded_mapping coldest_found(given, std::move(best));
  go_downhill(coldest_found, given, left, random);
  return better_of(given, std::move(start), coldest_found.places());
}

}  // namespace acre::mapping
