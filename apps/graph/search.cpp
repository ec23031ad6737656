// SPDX-License-Identifier: BSD-3-Clause
// Graph500 breadth-first searches from many roots, each validated.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/breadth_first.hpp>
#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/stopwatch.hpp>
#include <apps/graph/validation.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace acre::graph {
namespace {

/// Distinct vertices with edges, possibly fewer than `count`.
/// @throws acre::error if the graph has no edges
std::vector<std::uint64_t> roots_of(const csr_graph& graph, std::uint64_t seed, unsigned count) {
  std::vector<std::uint64_t> roots;
  std::unordered_set<std::uint64_t> seen;
  const std::uint64_t tries = graph.rows() == 0 ? 0 : 64 * (count + std::uint64_t{64});
  for (std::uint64_t i = 0; roots.size() < count && i < tries; ++i) {
    const std::uint64_t root = root_of(graph.rows(), seed, i);
    if (seen.insert(root).second && degree_of(graph, root) != 0) roots.push_back(root);
  }
  if (roots.empty()) {
    throw error(
        "acre-graph", "no vertex with an edge was found",
        "choose another --seed, or a graph with more edges (a larger --scale, or another file)");
  }
  return roots;
}

}  // namespace

void search(const search_request& wanted) {
  csr_graph graph;
  const double building = seconds_of([&] { graph = graph_of(world(), wanted); });
  const edge_walk list = edges_of(wanted, graph);
  breadth_first searching(graph);
  std::vector<double> seconds;
  double inverse_rates = 0;
  unsigned levels = 0;
  unsigned pulls = 0;
  for (const std::uint64_t root : roots_of(graph, wanted.seed, wanted.roots)) {
    seconds.push_back(seconds_of([&] { searching.run(root); }));
    const verdict found = validate(graph, list, root, searching.parents());
    if (!found.problem.empty()) {
      throw error("acre-graph", fmt::format("the search from {}: {}", root, found.problem));
    }
    inverse_rates += seconds.back() / static_cast<double>(std::max<std::uint64_t>(found.edges, 1));
    levels = std::max(levels, searching.levels());
    pulls = std::max(pulls, searching.pulls());
  }
  const auto runs = static_cast<double>(seconds.size());
  std::ranges::sort(seconds);
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"bfs\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": "
        "\"{}\", \"verified\": true, \"building_s\": {:.4f}, \"roots\": {}, \"levels\": {}, "
        "\"pulls\": {}, \"least_ms\": {:.4f}, \"median_ms\": {:.4f}, \"harmonic_mteps\": "
        "{:.2f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), building, seconds.size(), levels,
        pulls, seconds.front() * 1e3, seconds[seconds.size() / 2] * 1e3,
        runs / inverse_rates / 1e6);
  }
  world().barrier();
}

}  // namespace acre::graph
