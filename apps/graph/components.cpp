// SPDX-License-Identifier: BSD-3-Clause
// Connected components: the ends of edges are united in a union_find. Verified by labels from
// linear algebra.
#include <acre/base/error.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/container/sets/uniting.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/component_labels.hpp>
#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::graph {
namespace {

void unite_edges(const csr_graph& graph, union_find& sets) {
  buffered writer(sets, uniting);
  const csr_rows<present> rows = graph.local();
  for (std::size_t row = 0; row < rows.count; ++row) {
    const std::uint64_t vertex = rows.first + row;
    for (const column_t to : rows.columns_of(row)) {
      if (to < vertex) writer.unite(vertex, to);
    }
  }
}

/// True if the sets are the components.
bool are_components(const union_find& sets, const component_labels& labels) {
  const auto mine = labels.local();
  std::vector<std::uint64_t> vertices(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i) vertices[i] = labels.first() + i;
  const std::vector<std::uint64_t> roots = sets.find_many(vertices);
  const std::vector<column_t> wanted(roots.begin(), roots.end());
  // Elements of a set have one label, and there are as many sets as labels.
  const bool right = std::ranges::equal(labels.of(wanted), mine);
  return world().allreduce(right, op::logical_and) && sets.set_count() == labels.count();
}

}  // namespace

void find_components(const times_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  union_find sets(world(), graph.rows());
  const double least = least_seconds_of(
      wanted.times, [&] { sets.clear(); },
      [&] {
        unite_edges(graph, sets);
        sets.compress();
      });
  const std::uint64_t components = sets.set_count();
  const component_labels labels(graph);
  if (!are_components(sets, labels)) {
    throw error("acre-graph", "the sets are not the components");
  }
  if (!wanted.output.empty()) {
    store_values(world(), wanted.output, labels.first(), labels.local());
  }
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"components\", \"ranks\": {}, {}, \"entries\": {}, "
        "\"conduit\": \"{}\", \"verified\": true, \"components\": {}, \"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), components, least);
  }
  world().barrier();
}

}  // namespace acre::graph
