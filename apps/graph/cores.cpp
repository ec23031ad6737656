// SPDX-License-Identifier: BSD-3-Clause
// Core numbers, verified by their bounds.
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/core_numbers.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace acre::graph {

void find_cores(const times_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  std::optional<core_numbers> found;
  const double least =
      least_seconds_of(wanted.times, [&] { found.reset(); }, [&] { found.emplace(graph); });
  const std::string problem = problem_of_cores(graph, found->removals());
  if (!problem.empty()) throw error("acre-graph", problem);
  std::vector<std::uint32_t> cores;
  cores.reserve(graph.local_rows());
  for (const removal& each : found->removals().local()) cores.push_back(each.core);
  if (!wanted.output.empty()) {
    store_values(world(), wanted.output, graph.first_local_row(),
                 std::span<const std::uint32_t>(cores));
  }
  std::uint32_t most = 0;
  for (const std::uint32_t core : cores) most = std::max(most, core);
  most = world().allreduce(most, op::max);
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"cores\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"largest_core\": {}, \"rounds\": {}, \"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), most, found->rounds(), least);
  }
  world().barrier();
}

}  // namespace acre::graph
