// SPDX-License-Identifier: BSD-3-Clause
// Graph500 breadth-first searches from many roots, each validated.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/breadth_first.hpp>
#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/roots.hpp>
#include <apps/graph/stopwatch.hpp>
#include <apps/graph/validation.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace acre::graph {

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
