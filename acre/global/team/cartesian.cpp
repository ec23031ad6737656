// SPDX-License-Identifier: BSD-3-Clause
// Grid teams. Rank 0 searches the mapping and broadcasts it: timed searches differ between ranks.
#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/site.hpp>
#include <acre/base/specification.hpp>
#include <acre/global/team/detail/grid_choice.hpp>
#include <acre/global/team/detail/job_machine.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {
namespace {

using global::grid_wish;
using global::job_machine;

constexpr const char* call = "team::cartesian";
constexpr std::chrono::milliseconds time_to_search{500};

// World ranks and extents of the grid; or a problem and advice.
using found = std::tuple<std::vector<rank_t>, std::vector<rank_t>, std::string, std::string>;
using search = std::function<found(const job_machine&)>;

/// The grid that the machine exchanges fastest, among those with little surface.
found find_grid(const grid_wish& wish, const job_machine& machine) {
  constexpr std::size_t most = 6;
  const auto grids = global::grids_for(wish, world().size(), most);
  std::optional<global::order_of_ranks> best;
  std::vector<std::uint32_t> chosen;
  for (const auto& grid : grids) {
    auto now = machine.best(global::stencil_on(grid, wish.elements),
                            time_to_search / static_cast<long>(grids.size()));
    // Seconds are of relative bytes: comparable between grids of equal elements.
    constexpr double better = 1 - 1e-6;
    const bool wins =
        !best || now.seconds < better * best->seconds ||
        (now.seconds <= best->seconds / better && now.hop_bytes < better * best->hop_bytes);
    if (!wins) continue;
    best = std::move(now);
    chosen = grid;
  }
  return {best->ranks, chosen, "", ""};
}

found find(const std::vector<std::string>& hosts, const search& look) {
  try {
    return look(*job_machine::make(hosts));
  } catch (const error& failure) {
    return {{}, {}, failure.problem(), failure.advice()};
  } catch (const std::exception& failure) {
    return {{}, {}, failure.what(), "use a smaller grid, or a pattern of fewer messages"};
  }
}

/// On world rank 0: the host of each node.
std::vector<std::string> hosts_of_nodes(const site& where) {
  const std::vector<std::string> all = world().gather(host_name(), 0, where);
  std::vector<std::string> hosts(all.empty() ? 0 : runtime::node_count());
  for (rank_t rank = 0; rank < all.size(); ++rank) hosts[runtime::node_of(rank)] = all[rank];
  return hosts;
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

std::pair<team, std::vector<rank_t>> mapped_team(const search& look, const site& where) {
  const auto hosts = hosts_of_nodes(where);
  auto [ranks, extents, problem, advice] =
      world().broadcast(world().rank() == 0 ? find(hosts, look) : found{}, 0, where);
  if (!problem.empty()) throw error(call, problem, advice);
  const auto mine = std::ranges::find(ranks, world().rank());
  if (mine == ranks.end()) return {world().split(-1, 0, where), {}};
  return {world().split(0, static_cast<int>(mine - ranks.begin()), where), extents};
}

}  // namespace

team team::of_grid(std::pair<team, std::vector<rank_t>> made) {
  if (made.first) made.first.state_->extents = std::move(made.second);
  return std::move(made.first);
}

team team::cartesian(const std::vector<std::uint32_t>& extents, const site& where) {
  require_ranks(extents);
  return of_grid(mapped_team(
      [&](const job_machine& machine) { return find_grid({.extents = extents}, machine); }, where));
}

team team::cartesian_for(const std::vector<std::size_t>& elements, const site& where) {
  const std::vector<std::uint32_t> chosen(elements.size(), 0);
  require_ranks(chosen);
  if (std::ranges::count(elements, std::size_t{0}) != 0) {
    throw error("team::cartesian_for", "the matrix has no elements", "pass extents of at least 1");
  }
  return of_grid(mapped_team(
      [&](const job_machine& machine) { return find_grid({chosen, elements}, machine); }, where));
}

team team::cartesian(const std::vector<std::uint32_t>& extents,
                     const mapping::communication& communication, const site& where) {
  if (cells_of(extents) != communication.traffic.ranks()) {
    throw error(call, "a grid of " + join(extents) + " does not match a communication of " +
                          std::to_string(communication.traffic.ranks()) + " ranks");
  }
  require_ranks(extents);
  return of_grid(mapped_team(
      [&](const job_machine& machine) {
        return found{machine.best(communication, time_to_search).ranks, extents, "", ""};
      },
      where));
}

std::vector<rank_t> team::coordinates(rank_t number) const {
  std::vector<rank_t> at(extents().size());
  for (std::size_t d = at.size(); d-- > 0; number /= extents()[d]) at[d] = number % extents()[d];
  return at;
}

member team::at(std::initializer_list<rank_t> coordinates) const {
  rank_t number = 0;
  std::size_t d = 0;
  bool is_inside = coordinates.size() == extents().size() && coordinates.size() != 0;
  for (const rank_t each : coordinates) {
    if (!is_inside || each >= extents()[d]) {
      is_inside = false;
      break;
    }
    number = number * extents()[d++] + each;
  }
  if (is_inside) return (*this)[number];
  throw error("team::at",
              "there is no member (" + join(std::vector<rank_t>(coordinates), ',') +
                  ") in a team with extents (" + join(extents(), ',') + ")",
              "pass one coordinate below each of extents(); only team::cartesian() makes a grid");
}

}  // namespace acre
