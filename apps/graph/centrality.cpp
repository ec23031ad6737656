// SPDX-License-Identifier: BSD-3-Clause
// Betweenness centrality from all vertices or a sample, verified by the sum from each.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/betweenness.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/roots.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::graph {

void find_betweenness(const sample_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  betweenness found(graph);
  const std::vector<std::uint64_t> sources = sample_of(graph.rows(), wanted.seed, wanted.sources);
  double seconds = 0;
  for (const std::uint64_t source : sources) {
    seconds += seconds_of([&] { found.add_source(source); });
    const std::string problem = found.problem_of_last();
    if (!problem.empty()) throw error("acre-graph", problem);
  }
  // Estimates the sum from all vertices; without directions each pair counts once.
  const double factor = static_cast<double>(graph.rows()) / static_cast<double>(sources.size()) *
                        (wanted.is_directed ? 1 : 0.5);
  std::vector<double> scores;
  scores.reserve(graph.local_rows());
  for (const double sum : found.sums().local()) scores.push_back(sum * factor);
  double most = 0;
  for (const double score : scores) most = std::max(most, score);
  most = world().allreduce(most, op::max);
  if (!wanted.output.empty()) {
    store_values(world(), wanted.output, graph.first_local_row(), std::span<const double>(scores));
  }
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"betweenness\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"sources\": {}, \"largest\": {:.6g}, \"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), sources.size(), most, seconds);
  }
  world().barrier();
}

}  // namespace acre::graph
