// SPDX-License-Identifier: BSD-3-Clause
// Validates a breadth-first search tree by Graph500's rules:
//
//   1. no cycles;
//   2. tree edges join levels that differ by one;
//   3. listed edges join levels that differ by at most one, or two unreached vertices;
//   4. the tree spans the root's component;
//   5. tree edges are graph edges.
//
// Source: Graph500 specification, "Validation".
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <apps/graph/edge_lists.hpp>

#include <cstdint>
#include <string>

namespace acre::graph {

struct verdict {
  std::string problem;  ///< empty if valid; equal on all members
  std::uint64_t edges = 0;
};

/// Collective. @param list  edges of the graph
/// @param parents  maximum value for unreached vertices
[[nodiscard]] verdict validate(const csr_graph& graph, const edge_walk& list, std::uint64_t root,
                               const dense_vector<column_t>& parents);

}  // namespace acre::graph
