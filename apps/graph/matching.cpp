// SPDX-License-Identifier: BSD-3-Clause
// A maximal matching, verified by its definition.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/kernels.hpp>
#include <apps/graph/maximal_matching.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace acre::graph {

void match(const times_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  std::optional<maximal_matching> found;
  const double least = least_seconds_of(
      wanted.times, [&] { found.reset(); }, [&] { found.emplace(graph, wanted.seed); });
  const std::string problem = problem_of_matching(graph, found->partners());
  if (!problem.empty()) throw error("acre-graph", problem);
  store_vector(wanted.output, found->partners());
  std::uint64_t matched = 0;
  for (const column_t each : found->partners().local()) {
    matched += each == maximal_matching::single ? 0 : 1;
  }
  matched = world().allreduce(matched);
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"matching\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"matched_edges\": {}, \"rounds\": {}, \"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), matched / 2, found->rounds(),
        least);
  }
  world().barrier();
}

}  // namespace acre::graph
