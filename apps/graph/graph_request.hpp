// SPDX-License-Identifier: BSD-3-Clause
// The graph that a program is asked to work on: Graph500's, of some scale, or that of a file.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kronecker.hpp>

#include <cstdint>
#include <string>

namespace acre::graph {

struct graph_request {
  unsigned scale = 14;
  std::uint64_t seed = 1;
  unsigned edge_factor = 16;
  std::string from{};  ///< of Matrix Market; none: the one that is made

  [[nodiscard]] kronecker list() const noexcept { return kronecker(scale, seed, edge_factor); }
};

/// Of a file, each entry is an edge, in both directions, whatever its value. Collective.
/// @throws acre::error on all members when the file is no square matrix, or no node has room for
///         the graph
[[nodiscard]] csr_graph graph_of(const team& members, const graph_request& wanted);

/// The edges that the graph was made of. @param made  by graph_of(); it lives as long
[[nodiscard]] edge_walk edges_of(const graph_request& wanted, const csr_graph& made);

/// What a line of JSON says of it: "scale": 14
[[nodiscard]] std::string name_of(const graph_request& wanted);

}  // namespace acre::graph
