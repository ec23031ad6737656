// SPDX-License-Identifier: BSD-3-Clause
// Undirected graphs from edge lists, without loops.
#pragma once

#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/kronecker.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace acre::graph {

struct share {
  std::uint64_t first;
  std::uint64_t count;
};
[[nodiscard]] share share_of(const team& members, std::uint64_t all);

/// Partition bounds as multiples of 64.
[[nodiscard]] row_cut whole_words(std::size_t rows, rank_t members);

class undirected_edges {
 public:
  undirected_edges(const team& members, std::size_t vertices);
  void add(const edge& each);
  [[nodiscard]] csr_graph finish();

 private:
  csr_builder<present> triples_;
};

/// Collective.
[[nodiscard]] csr_graph graph_of(const team& members, const kronecker& edges);

using edge_walk = std::function<void(const std::function<void(const edge&)>& f)>;
[[nodiscard]] edge_walk edges_of(const team& members, const kronecker& edges);
/// Each edge once. @param graph  must outlive the walk
[[nodiscard]] edge_walk edges_of(const csr_graph& graph);

/// Pairs of 64-bit numbers. Collective. @throws acre::error on all members
void store_edges(const team& members, const kronecker& edges, const std::string& path);

/// Cost: R.
[[nodiscard]] std::uint64_t degree_of(const csr_graph& graph, std::uint64_t vertex);

}  // namespace acre::graph
