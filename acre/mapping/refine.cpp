#include <acre/mapping/refine.hpp>

#include <acre/mapping/budget.hpp>
#include <acre/mapping/detail/route_table.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace acre::mapping {
namespace {

using topology::link_t;
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
        routes_(given.where),
        places_(std::move(places)),
        rank_in_(given.where.allocation.slots(), nobody),
        node_(places_.size()),
        links_(given.where.network.links()) {
    const std::vector<double> bytes = link_bytes(given.where, given.what.traffic, places_);
    for (rank_t rank = 0; rank < places_.size(); ++rank) place(rank, places_[rank]);
    double largest = 0;
    for (link_t link = 0; link < links_.size(); ++link) {
      links_[link].seconds_a_byte = 1 / given.where.network.bandwidth(link);
      links_[link].load = bytes[link] * links_[link].seconds_a_byte;
      largest = std::max(largest, links_[link].load);
    }
    if (largest > 0) share_a_second_ = 1 / largest;
    for (const link_state& each : links_) energy_ += energy_of(each.load);
  }

  [[nodiscard]] const placement& places() const noexcept { return places_; }
  [[nodiscard]] double energy() const noexcept { return energy_; }
  [[nodiscard]] slot_t slot_of(rank_t rank) const { return places_[rank]; }
  [[nodiscard]] link_t busiest() const {
    return static_cast<link_t>(std::ranges::max_element(links_, {}, &link_state::load) -
                               links_.begin());
  }

  /// By how much the energy would rise if a rank changed with what is in a slot, a rank or nobody.
  double rise(rank_t rank, slot_t slot) {
    forget_changes();
    const rank_t other = rank_in_[slot];
    const std::uint32_t here = node_[rank];
    const std::uint32_t there = given_.where.allocation.place_of(slot);
    account(rank, other, -1);
    move(rank, there);
    move(other, here);
    account(rank, other, 1);
    move(rank, here);
    move(other, there);
    double sum = 0;
    for (const link_t link : touched_) {
      const link_state& each = links_[link];
      if (each.change != 0) sum += energy_of(each.changed()) - energy_of(each.load);
    }
    return sum;
  }

  /// Does what rise() was asked for last.
  void exchange(rank_t rank, slot_t slot, double rise) {
    for (const link_t link : touched_) links_[link].load = links_[link].changed();
    energy_ += rise;
    const rank_t other = rank_in_[slot];
    const slot_t home = places_[rank];
    place(rank, slot);
    rank_in_[home] = nobody;
    if (other != nobody) place(other, home);
  }

  /// The ranks whose messages cross a link.
  [[nodiscard]] std::vector<rank_t> users_of(link_t link) {
    std::vector<rank_t> users;
    for (rank_t rank = 0; rank < places_.size(); ++rank) {
      for (const traffic::flow& each : given_.what.traffic.from(rank)) {
        const std::span<const link_t> crossed = routes_.between(node_[rank], node_[each.to]);
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
  struct link_state {
    double load = 0;    ///< seconds
    double change = 0;  ///< of it, by the exchange that was asked for last
    double seconds_a_byte = 0;
    bool touched = false;  ///< by that exchange

    [[nodiscard]] double changed() const { return std::max(0.0, load + change); }
  };

  [[nodiscard]] double energy_of(double load) const noexcept {
    const double share = load * share_a_second_;
    const double square = share * share;
    return square * square * (square * square);
  }
  void forget_changes() {
    for (const link_t link : touched_) {
      links_[link].change = 0;
      links_[link].touched = false;
    }
    touched_.clear();
  }
  void place(rank_t rank, slot_t slot) {
    places_[rank] = slot;
    rank_in_[slot] = rank;
    node_[rank] = given_.where.allocation.place_of(slot);
  }
  void move(rank_t rank, std::uint32_t node) {
    if (rank != nobody) node_[rank] = node;
  }
  /// Takes the flows of two ranks off their links (sign -1) or lays them there (1); those between
  /// the two once.
  void account(rank_t first, rank_t second, int sign) {
    for (const rank_t rank : {first, second}) {
      if (rank == nobody) continue;
      for (const exchanges::flow& each : exchanges_.of(rank)) {
        if (rank == second && each.other == first) continue;
        const rank_t from = each.out ? rank : each.other;
        const rank_t to = each.out ? each.other : rank;
        for (const link_t link : routes_.between(node_[from], node_[to])) {
          link_state& crossed = links_[link];
          if (!std::exchange(crossed.touched, true)) touched_.push_back(link);
          crossed.change += sign * each.bytes * crossed.seconds_a_byte;
        }
      }
    }
  }

  const problem& given_;
  exchanges exchanges_;
  route_table routes_;
  placement places_;
  std::vector<rank_t> rank_in_;
  std::vector<std::uint32_t> node_;  ///< of each rank, its place in the list of shares
  std::vector<link_state> links_;
  std::vector<link_t> touched_;
  double share_a_second_ = 1;  ///< one over the largest load of the beginning
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
        const double rise = mapping.rise(rank, slot);
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
        mapping.exchange(rank, best, mapping.rise(rank, best));
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
    const double rise = mapping.rise(rank, slot);
    if (rise > 0 && chance(random) >= std::exp(-rise / heat)) continue;
    mapping.exchange(rank, slot, rise);
  }
  loaded_mapping coldest_found(given, std::move(best));
  go_downhill(coldest_found, given, left, random);
  return better_of(given, std::move(start), coldest_found.places());
}

}  // namespace acre::mapping
