// SPDX-License-Identifier: BSD-3-Clause
// Graphs from lists of edges: undirected, without loops, each edge once in each direction.
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

/// Of as many things, those of this member: number `first` and `count` - 1 that follow.
struct share {
  std::uint64_t first;
  std::uint64_t count;
};
[[nodiscard]] share share_of(const team& members, std::uint64_t all);

/// Rows cut as equally as multiples of 64 allow, so that words of bits belong to one member.
[[nodiscard]] row_cut whole_words(std::size_t rows, rank_t members);

/// A graph of edges that any member adds: loops are left out.
class undirected_edges {
 public:
  undirected_edges(const team& members, std::size_t vertices);
  void add(const edge& each);
  /// Collective.
  [[nodiscard]] csr_graph finish();

 private:
  csr_builder<present> triples_;
};

/// All edges, made by all members. Collective.
[[nodiscard]] csr_graph graph_of(const team& members, const kronecker& edges);

/// f(edge) of this member's share of a list, again whenever it is called.
using edge_walk = std::function<void(const std::function<void(const edge&)>& f)>;
[[nodiscard]] edge_walk edges_of(const team& members, const kronecker& edges);
/// Each edge once. @param graph  lives as long
[[nodiscard]] edge_walk edges_of(const csr_graph& graph);

/// Writes all edges to a file, each as two numbers of 64 bits: for programs that are no ranks.
/// Collective. @throws acre::error on all members
void store_edges(const team& members, const kronecker& edges, const std::string& path);

/// How many neighbours a vertex has. Cost: R.
[[nodiscard]] std::uint64_t degree_of(const csr_graph& graph, std::uint64_t vertex);

}  // namespace acre::graph
