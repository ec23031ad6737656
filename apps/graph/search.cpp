// SPDX-License-Identifier: BSD-3-Clause
// Graph500 breadth-first searches from many roots, each validated.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/breadth_first.hpp>
#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/roots.hpp>
#include <apps/graph/stopwatch.hpp>
#include <apps/graph/tree_depths.hpp>
#include <apps/graph/validation.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace acre::graph {
namespace {

void store_search(const search_request& wanted, const csr_graph& graph,
                  const dense_vector<column_t>& parents) {
  if (wanted.output.empty() && wanted.parents.empty()) return;
  const dense_vector<std::uint32_t> depths = depths_of(parents);
  store_vector(wanted.output, depths);
  if (wanted.parents.empty()) return;
  store_vector(wanted.parents,
               predecessors_of(graph, *wanted.root, depths, [](auto, auto) { return 1U; }));
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
  for (const std::uint64_t root : roots_of(graph, wanted)) {
    seconds.push_back(seconds_of([&] { searching.run(root); }));
    const verdict found = validate(graph, list, root, searching.parents());
    if (!found.problem.empty()) {
      throw error("acre-graph", fmt::format("the search from {}: {}", root, found.problem));
    }
    inverse_rates += seconds.back() / static_cast<double>(std::max<std::uint64_t>(found.edges, 1));
    levels = std::max(levels, searching.levels());
    pulls = std::max(pulls, searching.pulls());
  }
  if (wanted.root) store_search(wanted, graph, searching.parents());
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
