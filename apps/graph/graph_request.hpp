// SPDX-License-Identifier: BSD-3-Clause
// The requested graph, generated or from a file, and files for results.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/generators.hpp>
#include <apps/graph/kronecker.hpp>

#include <cstdint>
#include <string>

namespace acre::graph {

struct graph_request {
  unsigned scale = 14;
  std::uint64_t seed = 1;
  unsigned edge_factor = 16;
  std::string from{};      ///< Matrix Market file; empty: generated graph
  std::string generate{};  ///< specification of generator_of(); empty: Kronecker graph
  bool is_directed = false;
  std::string output{};  ///< file for values of vertices; may be empty

  [[nodiscard]] direction entries() const noexcept {
    return is_directed ? direction::forward : direction::both;
  }
  /// @throws acre::error for an invalid `generate`
  [[nodiscard]] generator list() const {
    return generate.empty() ? generator_of(kronecker(scale, seed, edge_factor))
                            : generator_of(generate, seed, entries());
  }
};

/// Each edge or file entry is an edge in both directions, unless directed; values are ignored.
/// Collective.
/// @throws acre::error on all members if not square, not valid, or memory is insufficient
[[nodiscard]] csr_graph graph_of(const team& members, const graph_request& wanted);

/// @param made  by graph_of(); must outlive the walk
[[nodiscard]] edge_walk edges_of(const graph_request& wanted, const csr_graph& made);

[[nodiscard]] std::string name_of(const graph_request& wanted);

}  // namespace acre::graph
