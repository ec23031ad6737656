// SPDX-License-Identifier: BSD-3-Clause
// Communities by label propagation; the last round is verified.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/kernels.hpp>
#include <apps/graph/label_propagation.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace acre::graph {

void find_communities(const label_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  label_propagation labels(graph);
  unsigned rounds = 0;
  const double seconds = seconds_of([&] {
    for (bool more = true; more && rounds < wanted.rounds; ++rounds) more = labels.step();
  });
  const std::string problem = problem_of_labels(graph, labels.earlier(), labels.labels());
  if (!problem.empty()) throw error("acre-graph", problem);
  const std::uint64_t communities = count_labels(labels.labels());
  store_vector(wanted.output, labels.labels());
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"communities\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"communities\": {}, \"rounds\": {}, \"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), communities, rounds, seconds);
  }
  world().barrier();
}

}  // namespace acre::graph
