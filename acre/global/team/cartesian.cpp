// SPDX-License-Identifier: BSD-3-Clause
// Grid teams. Rank 0 searches the mapping and broadcasts it: timed searches differ between ranks.
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/base/specification.hpp>
#include <acre/global/team/team.hpp>
#include <acre/mapping/automatic.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>
#include <acre/topology/specification.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {
namespace {

constexpr const char* call = "team::cartesian";
constexpr std::chrono::milliseconds time_to_search{500};

/// ACRE_TOPOLOGY; default: equidistant nodes.
std::unique_ptr<const topology::network> network_of_job() {
  const auto specification = environment("ACRE_TOPOLOGY");
  if (specification) return topology::make_network(*specification);
  return topology::make_network("tree:" + std::to_string(runtime::node_count()));
}

/// ACRE_NODES, or 0, 1, 2, ….
std::vector<topology::node_t> nodes_of_job(const topology::network& network) {
  std::vector<topology::node_t> nodes(runtime::node_count());
  std::iota(nodes.begin(), nodes.end(), 0U);
  if (const auto list = environment("ACRE_NODES")) nodes = topology::make_nodes(*list);
  if (nodes.size() < runtime::node_count()) {
    throw error(call,
                "ACRE_NODES lists " + std::to_string(nodes.size()) + " nodes, but this job has " +
                    std::to_string(runtime::node_count()),
                "list the machine's number of each node in rank order: 0-3,17");
  }
  nodes.resize(runtime::node_count());
  if (std::ranges::max(nodes) >= network.nodes()) {
    throw error(call,
                "node " + std::to_string(std::ranges::max(nodes)) +
                    " of this job is out of range in ACRE_TOPOLOGY=" + network.name() +
                    ", which has " + std::to_string(network.nodes()) + " nodes",
                "set ACRE_NODES to the machine's number of each node in rank order");
  }
  return nodes;
}

void check_settings() {
  if (environment("ACRE_TOPOLOGY")) static_cast<void>(network_of_job());
  if (const auto list = environment("ACRE_NODES")) {
    static_cast<void>(topology::make_nodes(*list));
  }
}

std::vector<rank_t> mapped(const mapping::communication& communication) {
  if (runtime::node_count() == 1) {
    check_settings();
    std::vector<rank_t> ranks(communication.traffic.ranks());
    std::iota(ranks.begin(), ranks.end(), rank_t{0});
    return ranks;
  }
  std::vector<rank_t> slots(world().size());
  std::iota(slots.begin(), slots.end(), rank_t{0});
  std::ranges::sort(slots, {}, [](rank_t r) { return std::pair(runtime::node_of(r), r); });

  const auto network = network_of_job();
  std::vector<topology::allocation::share> shares;
  for (const topology::node_t node : nodes_of_job(*network)) {
    shares.push_back({.node = node, .slots = 0});
  }
  for (const rank_t rank : slots) ++shares[runtime::node_of(rank)].slots;
  const topology::allocation allocation(*network, shares);

  const mapping::placement places =
      mapping::automatic({communication, {*network, allocation}}, {.at_most = time_to_search})
          .places;
  std::vector<rank_t> ranks;
  ranks.reserve(places.size());
  for (const topology::slot_t slot : places) ranks.push_back(slots[slot]);
  return ranks;
}

using found = std::tuple<std::vector<rank_t>, std::string, std::string>;

found find_ranks(const std::function<mapping::communication()>& communication) {
  try {
    return {mapped(communication()), "", ""};
  } catch (const error& failure) {
    return {{}, failure.problem(), failure.advice()};
  } catch (const std::exception& failure) {
    return {{}, failure.what(), "use a smaller grid, or a pattern of fewer messages"};
  }
}

std::uint64_t cells_of(const std::vector<std::uint32_t>& extents) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  std::uint64_t cells = 1;
  for (const std::uint32_t extent : extents) cells = std::min(cells * extent, most);
  return cells;
}

void require_ranks(const std::vector<std::uint32_t>& extents) {
  runtime::require_no_served_call(call);
  if (extents.empty())
    throw error(call, "the grid has no dimensions", "pass its extents: team::cartesian({4, 2})");
  if (cells_of(extents) <= world().size()) return;
  throw error(call,
              "a grid of " + join(extents) + " requires more ranks than the " +
                  std::to_string(world().size()) + " of the job",
              "start more ranks, or use a smaller grid");
}

team mapped_team(const std::function<mapping::communication()>& communication, const site& where) {
  auto [ranks, problem, advice] =
      world().broadcast(world().rank() == 0 ? find_ranks(communication) : found{}, 0, where);
  if (!problem.empty()) throw error(call, problem, advice);
  const auto mine = std::ranges::find(ranks, world().rank());
  if (mine == ranks.end()) return world().split(-1, 0, where);
  return world().split(0, static_cast<int>(mine - ranks.begin()), where);
}

}  // namespace

team team::cartesian(const std::vector<std::uint32_t>& extents, const site& where) {
  require_ranks(extents);
  const auto stencil = [&] {
    std::vector<mapping::grid_dimension> dimensions;
    dimensions.reserve(extents.size());
    for (const std::uint32_t extent : extents) dimensions.push_back({.extent = extent});
    return mapping::cartesian(dimensions);
  };
  return mapped_team(stencil, where);
}

team team::cartesian(const std::vector<std::uint32_t>& extents,
                     const mapping::communication& communication, const site& where) {
  if (cells_of(extents) != communication.traffic.ranks()) {
    throw error(call, "a grid of " + join(extents) + " does not match a communication of " +
                          std::to_string(communication.traffic.ranks()) + " ranks");
  }
  require_ranks(extents);
  return mapped_team([&] { return communication; }, where);
}

}  // namespace acre
