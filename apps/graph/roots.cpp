// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/roots.hpp>

#include <acre/base/error.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kronecker.hpp>
#include <fmt/format.h>

#include <numeric>
#include <unordered_set>

namespace acre::graph {

std::vector<std::uint64_t> roots_of(const csr_graph& graph, const search_request& wanted) {
  if (wanted.root) {
    if (*wanted.root >= graph.rows()) {
      throw error(
          "acre-graph",
          fmt::format("vertex {} is not in the graph of {} vertices", *wanted.root, graph.rows()),
          "choose another --root");
    }
    return {*wanted.root};
  }
  std::vector<std::uint64_t> roots;
  std::unordered_set<std::uint64_t> seen;
  const std::uint64_t tries = graph.rows() == 0 ? 0 : 64 * (wanted.roots + std::uint64_t{64});
  for (std::uint64_t i = 0; roots.size() < wanted.roots && i < tries; ++i) {
    const std::uint64_t root = root_of(graph.rows(), wanted.seed, i);
    if (seen.insert(root).second && degree_of(graph, root) != 0) roots.push_back(root);
  }
  if (roots.empty()) {
    throw error(
        "acre-graph", "no vertex with an edge was found",
        "choose another --seed, or a graph with more edges (a larger --scale, or another file)");
  }
  return roots;
}

std::vector<std::uint64_t> sample_of(std::uint64_t vertices, std::uint64_t seed,
                                     std::uint64_t count) {
  std::vector<std::uint64_t> chosen;
  if (count >= vertices) {
    chosen.resize(vertices);
    std::iota(chosen.begin(), chosen.end(), std::uint64_t{0});
    return chosen;
  }
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t i = 0; chosen.size() < count; ++i) {
    const std::uint64_t vertex = root_of(vertices, seed, i);
    if (seen.insert(vertex).second) chosen.push_back(vertex);
  }
  return chosen;
}

}  // namespace acre::graph
