// SPDX-License-Identifier: BSD-3-Clause
// Triangle counting: L L masked by L, the edges to lower vertices; verified with the upper
// triangle.
//
// Source: Azad, Buluç, Gilbert: Parallel triangle counting using matrix algebra, 2015.
#include <acre/base/error.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <cstdint>

namespace acre::graph {
namespace {

std::int64_t triangles_of(const csr_graph& half) {
  const auto closed = spgemm<semirings::plus_pair<std::int64_t>>(half, half, masked_by(half));
  return reduce<monoids::plus<std::int64_t>>(closed);
}

}  // namespace

void count_triangles(const times_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  std::int64_t count = 0;
  const double least = least_seconds_of(
      wanted.times, [] {},
      [&] {
        count = triangles_of(
            select(graph, [](std::size_t from, std::size_t to, present) { return to < from; }));
      });
  const std::int64_t again = triangles_of(
      select(graph, [](std::size_t from, std::size_t to, present) { return to > from; }));
  if (count != again) {
    throw error("acre-graph",
                fmt::format("the result is wrong: the graph has {} triangles or {}", count, again));
  }
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"triangles\", \"ranks\": {}, {}, \"entries\": {}, "
        "\"conduit\": \"{}\", \"verified\": true, \"triangles\": {}, \"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), count, least);
  }
  world().barrier();
}

}  // namespace acre::graph
