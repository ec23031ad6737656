// SPDX-License-Identifier: BSD-3-Clause
// Graphs from edge lists, without loops.
#pragma once

#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/edge.hpp>
#include <apps/graph/generators.hpp>
#include <apps/graph/kronecker.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace acre::graph {

/// Partition bounds as multiples of 64.
[[nodiscard]] row_cut whole_words(std::size_t rows, rank_t members);

class graph_builder {
 public:
  graph_builder(const team& members, std::size_t vertices, direction entries = direction::both);
  void add(const edge& each);
  [[nodiscard]] csr_graph finish();

 private:
  csr_builder<present> triples_;
  direction entries_;
};

/// Calls its argument for each edge of this member.
using edge_walk = std::function<void(const edge_sink&)>;
[[nodiscard]] edge_walk edges_of(const team& members, const generator& edges);
[[nodiscard]] edge_walk edges_of(const team& members, const kronecker& edges);
/// Each edge once. @param graph  must outlive the walk
[[nodiscard]] edge_walk edges_of(const csr_graph& graph);

/// Collective.
[[nodiscard]] csr_graph graph_of(const team& members, std::size_t vertices, const edge_walk& edges,
                                 direction entries = direction::both);
[[nodiscard]] csr_graph graph_of(const team& members, const kronecker& edges);

/// Pairs of 64-bit numbers; walks twice. Collective. @throws acre::error on all members
void store_edges(const team& members, const edge_walk& edges, const std::string& path);

/// Cost: R.
[[nodiscard]] std::uint64_t degree_of(const csr_graph& graph, std::uint64_t vertex);

}  // namespace acre::graph
