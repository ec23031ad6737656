// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/scotch/scotch.hpp>

#include <acre/base/error.hpp>
#include <acre/machines/scotch/in_child.hpp>
#include <acre/topology/torus.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>  // scotch.h uses FILE
#include <scotch.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::machines {
namespace {

using dimension = topology::torus::dimension;
using numbers = std::vector<SCOTCH_Num>;

void check(int status, const char* call) {
  if (status != 0) throw error("machines::scotch", std::string(call) + " failed");
}

/// Single-threaded: several threads would give varying results.
class context {
 public:
  context() {
    check(SCOTCH_contextInit(&handle_), "SCOTCH_contextInit");
    check(SCOTCH_contextOptionSetNum(&handle_, SCOTCH_OPTIONNUMDETERMINISTIC, 1),
          "SCOTCH_contextOptionSetNum");
    check(SCOTCH_contextRandomClone(&handle_), "SCOTCH_contextRandomClone");
    SCOTCH_contextRandomReset(&handle_);
    check(SCOTCH_contextThreadSpawn(&handle_, 1, nullptr), "SCOTCH_contextThreadSpawn");
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() { SCOTCH_contextExit(&handle_); }

  void bind(SCOTCH_Graph* from, SCOTCH_Graph* to) {
    check(SCOTCH_contextBindGraph(&handle_, from, to), "SCOTCH_contextBindGraph");
  }

 private:
  SCOTCH_Context handle_{};
};

class graph {
 public:
  explicit graph(context& within) : context_(within) {
    check(SCOTCH_graphInit(&built_), "SCOTCH_graphInit");
    check(SCOTCH_graphInit(&handle_), "SCOTCH_graphInit");
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() {
    SCOTCH_graphExit(&handle_);
    SCOTCH_graphExit(&built_);
  }

  void build(const mapping::traffic& flows) {
    const mapping::traffic pairs = mapping::both_ways(flows);
    // Limit, as Scotch adds up 32-bit numbers.
    constexpr double most = 1 << 30;
    const double scale = most / std::max(pairs.total(), 1e-300);
    first_.push_back(0);
    for (mapping::rank_t rank = 0; rank < pairs.ranks(); ++rank) {
      for (const auto& [to, bytes] : pairs.from(rank)) {
        ends_.push_back(static_cast<SCOTCH_Num>(to));
        edge_weights_.push_back(std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(bytes * scale)));
      }
      first_.push_back(static_cast<SCOTCH_Num>(ends_.size()));
    }
    finish();
  }

  /// Complete graph with distances and slots as weights.
  void build(const mapping::machine& where) {
    const auto shares = where.allocation.shares();
    first_.push_back(0);
    for (const auto& from : shares) {
      for (const auto& to : shares) {
        if (from.node == to.node) continue;
        ends_.push_back(static_cast<SCOTCH_Num>(&to - shares.data()));
        edge_weights_.push_back(
            static_cast<SCOTCH_Num>(std::max(1U, where.network.distance(from.node, to.node))));
      }
      first_.push_back(static_cast<SCOTCH_Num>(ends_.size()));
      vertex_weights_.push_back(static_cast<SCOTCH_Num>(from.slots));
    }
    finish();
  }

  [[nodiscard]] SCOTCH_Graph* handle() noexcept { return &handle_; }

 private:
  void finish() {
    const auto vertices = static_cast<SCOTCH_Num>(first_.size() - 1);
    check(SCOTCH_graphBuild(&built_, 0, vertices, first_.data(), first_.data() + 1,
                            vertex_weights_.empty() ? nullptr : vertex_weights_.data(), nullptr,
                            static_cast<SCOTCH_Num>(ends_.size()), ends_.data(),
                            edge_weights_.data()),
          "SCOTCH_graphBuild");
    context_.bind(&built_, &handle_);
  }

  context& context_;
  SCOTCH_Graph built_{};
  SCOTCH_Graph handle_{};
  numbers first_;
  numbers ends_;
  numbers edge_weights_;
  numbers vertex_weights_;
};

enum class shape : std::uint8_t { tree, distances };

class architecture {
 public:
  architecture(const mapping::machine& where, context& within, shape wanted) : distances_(within) {
    check(SCOTCH_archInit(&whole_), "SCOTCH_archInit");
    check(SCOTCH_archInit(&job_), "SCOTCH_archInit");
    const auto shares = where.allocation.shares();
    if (const auto make = maker(where.network)) {
      const auto extents = where.network.extents();
      numbers dimensions(extents.begin(), extents.end());
      check(make(&whole_, static_cast<SCOTCH_Num>(dimensions.size()), dimensions.data()),
            "SCOTCH_archTorusX or SCOTCH_archMeshX");
      for (const auto& share : shares) nodes_.push_back(static_cast<SCOTCH_Num>(share.node));
      check(SCOTCH_archSub(&job_, &whole_, static_cast<SCOTCH_Num>(nodes_.size()), nodes_.data()),
            "SCOTCH_archSub");
      return;
    }
    if (wanted == shape::tree && build_tree(where)) return;
    if (shares.size() > most_nodes_for_scotch) {
      throw error("machines::scotch",
                  std::to_string(shares.size()) + " nodes of " + where.network.name() +
                      " exceed the limit of Scotch's list of distances",
                  "at most " + std::to_string(most_nodes_for_scotch) +
                      " nodes are supported on a network that is not a torus");
    }
    distances_.build(where);
    check(SCOTCH_archBuild2(&job_, distances_.handle(), 0, nullptr), "SCOTCH_archBuild2");
  }
  architecture(const architecture&) = delete;
  architecture& operator=(const architecture&) = delete;
  ~architecture() {
    SCOTCH_archExit(&job_);
    SCOTCH_archExit(&whole_);
  }

  [[nodiscard]] SCOTCH_Arch* handle() noexcept { return &job_; }

  [[nodiscard]] numbers places(numbers found) const {
    if (!place_of_leaf_.empty()) {
      for (SCOTCH_Num& each : found) each = place_of_leaf_[static_cast<std::size_t>(each)];
    }
    return found;
  }

 private:
  /// Scotch weighs leaves alike, so slots must be equal.
  bool build_tree(const mapping::machine& where) {
    const auto shares = where.allocation.shares();
    const std::uint32_t slots = shares.front().slots;
    if (where.network.levels() == 0 ||
        !std::ranges::all_of(shares, [&](auto& each) { return each.slots == slots; })) {
      return false;
    }
    const std::vector<std::uint32_t> nodes = mapping::nodes_by_group(where);
    numbers sizes;
    numbers costs;
    std::size_t parts = 1;
    for (unsigned level = 0; level <= where.network.levels(); ++level) {
      const std::vector<std::size_t> begins = begins_of_groups(where, nodes, level);
      const std::size_t each = begins.size() / parts;
      if (each * parts != begins.size() || nodes.size() % begins.size() != 0) return false;
      for (std::size_t i = 0; i < begins.size(); ++i) {
        if (begins[i] != i * (nodes.size() / begins.size())) return false;
      }
      if (each > 1) {
        const auto a = shares[nodes[0]].node;
        const auto b = shares[nodes[begins[1]]].node;
        sizes.push_back(static_cast<SCOTCH_Num>(each));
        costs.push_back(tree_cost(where, a, b));
      }
      parts = begins.size();
    }
    place_of_leaf_.assign(nodes.begin(), nodes.end());
    check(
        SCOTCH_archTleaf(&job_, static_cast<SCOTCH_Num>(sizes.size()), sizes.data(), costs.data()),
        "SCOTCH_archTleaf");
    return true;
  }

  /// Cost of a byte between nodes, relative to 1 within a node.
  static SCOTCH_Num tree_cost(const mapping::machine& where, topology::node_t from,
                              topology::node_t to) {
    const double within = where.level_costs.empty() ? 0.01 : where.level_costs.front();
    constexpr double most = 1e6;
    return static_cast<SCOTCH_Num>(std::clamp(where.cost(from, to) / within, 1.0, most));
  }

  /// Starts of a level's groups in `nodes`; below the last level each node is a group.
  static std::vector<std::size_t> begins_of_groups(const mapping::machine& where,
                                                   std::span<const std::uint32_t> nodes,
                                                   unsigned level) {
    const auto shares = where.allocation.shares();
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto group = [&](std::size_t at) {
        return where.network.group(shares[nodes[at]].node, level);
      };
      if (i == 0 || level == where.network.levels() || group(i) != group(i - 1))
        begins.push_back(i);
    }
    return begins;
  }

  static decltype(&SCOTCH_archTorusX) maker(const topology::network& network) {
    const auto* torus = dynamic_cast<const topology::torus*>(&network);
    constexpr std::size_t most_dimensions = 5;
    if (torus == nullptr || torus->nodes_a_router() != 1) return nullptr;
    if (torus->dimensions().size() > most_dimensions) return nullptr;
    const auto wrapped = std::ranges::count_if(torus->dimensions(), &dimension::wraps);
    if (wrapped == 0) return SCOTCH_archMeshX;
    return wrapped == std::ssize(torus->dimensions()) ? SCOTCH_archTorusX : nullptr;
  }

  SCOTCH_Arch whole_{};
  SCOTCH_Arch job_{};
  numbers nodes_;
  numbers place_of_leaf_;
  graph distances_;
};

class strategy {
 public:
  explicit strategy(std::size_t nodes) {
    check(SCOTCH_stratInit(&handle_), "SCOTCH_stratInit");
    constexpr double imbalance = 0.0;
    check(SCOTCH_stratGraphMapBuild(&handle_, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                    static_cast<SCOTCH_Num>(nodes), imbalance),
          "SCOTCH_stratGraphMapBuild");
  }
  strategy(const strategy&) = delete;
  strategy& operator=(const strategy&) = delete;
  ~strategy() { SCOTCH_stratExit(&handle_); }

  [[nodiscard]] SCOTCH_Strat* handle() noexcept { return &handle_; }

 private:
  SCOTCH_Strat handle_{};
};

mapping::placement seated(const mapping::problem& given, const numbers& wanted) {
  const auto& allocation = given.where.allocation;
  const auto shares = allocation.shares();
  std::vector<std::uint32_t> taken(shares.size(), 0);
  mapping::placement places(wanted.size());
  const auto take = [&](mapping::rank_t rank, std::uint32_t place) {
    places[rank] = allocation.first_slot(place) + taken[place]++;
  };
  std::vector<mapping::rank_t> standing;
  for (mapping::rank_t rank = 0; rank < wanted.size(); ++rank) {
    const auto place = static_cast<std::uint32_t>(wanted[rank]);
    if (taken[place] < shares[place].slots) {
      take(rank, place);
    } else {
      standing.push_back(rank);
    }
  }
  for (const mapping::rank_t rank : standing) {
    const auto wanted_node = shares[static_cast<std::uint32_t>(wanted[rank])].node;
    std::uint32_t nearest = 0;
    unsigned least = ~0U;
    for (std::uint32_t place = 0; place < shares.size(); ++place) {
      if (taken[place] == shares[place].slots) continue;
      const unsigned far = given.where.network.distance(wanted_node, shares[place].node);
      if (far < least) std::tie(least, nearest) = std::pair(far, place);
    }
    take(rank, nearest);
  }
  return places;
}

numbers wanted_places(const mapping::problem& given, shape form) {
  context within;
  graph ranks(within);
  ranks.build(given.what.traffic);
  architecture machine(given.where, within, form);
  strategy how(given.where.allocation.shares().size());
  numbers wanted(given.what.traffic.ranks());
  check(SCOTCH_graphMap(ranks.handle(), machine.handle(), how.handle(), wanted.data()),
        "SCOTCH_graphMap");
  return machine.places(std::move(wanted));
}

/// For few nodes distances sometimes map better, at little time.
mapping::placement mapped(const mapping::problem& given) {
  constexpr std::size_t few = 64;
  mapping::placement best = seated(given, wanted_places(given, shape::tree));
  const mapping::machine& where = given.where;
  if (where.network.levels() == 0 || where.allocation.shares().size() > few) return best;
  mapping::placement other = seated(given, wanted_places(given, shape::distances));
  const auto cost = [&](const mapping::placement& places) {
    return mapping::measure(given, places).cost;
  };
  return cost(other) < cost(best) ? other : best;
}

}  // namespace

mapping::placement scotch(const mapping::problem& given) {
  mapping::require_slots(given);
  if (given.where.allocation.shares().size() == 1) return mapping::packed(given);
  const auto map = [&] { return mapped(given); };
  if (given.until == std::chrono::steady_clock::time_point::max()) return map();
  if (auto made = computed_in_child(map, given.until)) return std::move(*made);
  throw error("machines::scotch", "Scotch failed, or did not finish in time");
}

}  // namespace acre::machines
