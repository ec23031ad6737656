// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths, verified by the edges.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/roots.hpp>
#include <apps/graph/shortest_paths.hpp>
#include <apps/graph/stopwatch.hpp>
#include <apps/graph/tree_depths.hpp>
#include <apps/graph/two_way_graph.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::graph {

void find_paths(const path_request& wanted) {
  const two_way_graph both(graph_of(world(), wanted), wanted.entries());
  const csr_graph& graph = both.out();
  const edge_weights weights(wanted.seed);
  shortest_paths paths(graph, weights);
  std::vector<double> seconds;
  std::uint64_t relaxations = 0;
  std::uint64_t stolen = 0;
  std::uint64_t windows = 0;
  for (const std::uint64_t root : roots_of(graph, wanted)) {
    seconds.push_back(seconds_of([&] { paths.run(root, wanted.delta); }));
    const std::string problem = problem_of_distances(both.in(), weights, root, paths.distances());
    if (!problem.empty()) {
      throw error("acre-graph", fmt::format("the paths from {}: {}", root, problem));
    }
    relaxations += world().allreduce(paths.relaxations());
    stolen += world().allreduce(paths.stolen());
    windows += paths.windows();
  }
  if (wanted.root) {
    store_vector(wanted.output, paths.distances());
    if (!wanted.parents.empty()) {
      store_vector(wanted.parents,
                   predecessors_of(both.in(), *wanted.root, paths.distances(), weights));
    }
  }
  std::ranges::sort(seconds);
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"paths\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"roots\": {}, \"delta\": {}, \"windows\": {}, \"relaxations\": {}, "
        "\"stolen\": {}, \"least_ms\": {:.4f}, \"median_ms\": {:.4f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), seconds.size(), wanted.delta,
        windows, relaxations, stolen, seconds.front() * 1e3, seconds[seconds.size() / 2] * 1e3);
  }
  world().barrier();
}

}  // namespace acre::graph
