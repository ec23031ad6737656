// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/inside_nodes.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/mapping/bisection.hpp>
#include <acre/mapping/refine.hpp>
#include <acre/mapping/tree_grouping.hpp>
#include <acre/topology/specification.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace acre::mapping {
namespace {

using clock = std::chrono::steady_clock;
using topology::slot_t;

void require_cores(const problem& given, std::span<const std::uint32_t> inside) {
  constexpr const char* call = "mapping::arranged_inside_nodes";
  constexpr std::uint64_t most = 1 << 20;
  std::uint64_t cores = 1;
  for (const std::uint32_t places : inside) {
    cores *= places;
    if (cores == 0 || cores > most) {
      throw error(call, "a node of " + join(inside) + " cores is invalid; 1 to 2^20 are possible");
    }
  }
  for (const auto& share : given.where.allocation.shares()) {
    if (share.slots <= cores) continue;
    throw error(call,
                "node " + std::to_string(share.node) + " has " + std::to_string(share.slots) +
                    " slots, but " + join(inside) + " = " + std::to_string(cores) + " cores",
                "give it at most one slot per core");
  }
}

class arranger {
 public:
  arranger(const problem& given, placement places, std::span<const std::uint32_t> inside)
      : given_(given),
        places_(std::move(places)),
        node_(topology::make_network("tree:" + join(inside))),
        number_(given.what.traffic.ranks(), invalid_rank) {}

  placement arrange(clock::time_point end) {
    const topology::allocation& allocation = given_.where.allocation;
    std::vector<std::vector<rank_t>> ranks_of(allocation.shares().size());
    for (rank_t rank = 0; rank < places_.size(); ++rank) {
      ranks_of[allocation.place_of(places_[rank])].push_back(rank);
    }
    for (std::uint32_t place = 0; place < ranks_of.size() && clock::now() < end; ++place) {
      if (ranks_of[place].size() > 1) arrange_node(place, ranks_of[place]);
    }
    return std::move(places_);
  }

 private:
  void arrange_node(std::uint32_t place, std::span<const rank_t> ranks) {
    const topology::allocation& allocation = given_.where.allocation;
    const slot_t first = allocation.first_slot(place);
    std::vector<topology::allocation::share> cores(allocation.shares()[place].slots);
    for (slot_t core = 0; core < cores.size(); ++core) cores[core] = {.node = core, .slots = 1};
    const topology::allocation taken(*node_, std::move(cores));
    const communication within = without_grid("inside a node", traffic_among(ranks));
    const problem here{within, {*node_, taken}};

    placement best(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) best[i] = places_[ranks[i]] - first;
    metrics least = measure(here, best);
    for (const auto map : {tree_grouping, bisection}) {
      constexpr std::uint64_t trials_a_rank = 8;
      placement other = descend(here, map(here), {.most_trials = trials_a_rank * ranks.size()});
      metrics measured = measure(here, other);
      if (!measured.better_than(least)) continue;
      least = std::move(measured);
      best = std::move(other);
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) places_[ranks[i]] = first + best[i];
  }

  traffic traffic_among(std::span<const rank_t> ranks) {
    for (rank_t i = 0; i < ranks.size(); ++i) number_[ranks[i]] = i;
    std::vector<traffic::message> messages;
    for (const rank_t rank : ranks) {
      for (const auto& [to, bytes] : given_.what.traffic.from(rank)) {
        if (number_[to] != invalid_rank) messages.push_back({number_[rank], number_[to], bytes});
      }
    }
    for (const rank_t rank : ranks) number_[rank] = invalid_rank;
    return {static_cast<rank_t>(ranks.size()), messages};
  }

  const problem& given_;
  placement places_;
  std::unique_ptr<const topology::network> node_;
  std::vector<rank_t> number_;
};

}  // namespace

placement arranged_inside_nodes(const problem& given, placement places,
                                std::span<const std::uint32_t> inside,
                                std::chrono::milliseconds at_most) {
  require_cores(given, inside);
  return arranger(given, std::move(places), inside).arrange(clock::now() + at_most);
}

std::vector<double> bytes_inside_nodes(const problem& given, const placement& places,
                                       std::span<const std::uint32_t> inside) {
  require_cores(given, inside);
  const topology::allocation& allocation = given.where.allocation;
  std::vector<double> bytes(inside.size());
  for (rank_t rank = 0; rank < given.what.traffic.ranks(); ++rank) {
    const std::uint32_t place = allocation.place_of(places[rank]);
    for (const auto& [to, sent] : given.what.traffic.from(rank)) {
      if (allocation.place_of(places[to]) != place) continue;
      slot_t from_core = places[rank] - allocation.first_slot(place);
      slot_t to_core = places[to] - allocation.first_slot(place);
      std::size_t level = inside.size();
      for (; from_core != to_core; --level) {
        from_core /= inside[level - 1];
        to_core /= inside[level - 1];
      }
      bytes[level] += sent;
    }
  }
  return bytes;
}

}  // namespace acre::mapping
