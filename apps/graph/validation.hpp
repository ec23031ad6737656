// SPDX-License-Identifier: BSD-3-Clause
// Whether a tree of a breadth-first search is one, by the five rules of Graph500:
//
//   1. it has no cycles;
//   2. each of its edges joins vertices whose levels differ by one;
//   3. each edge of the list joins vertices whose levels differ by one at most, or none reached;
//   4. it spans the whole component of its root;
//   5. each of its edges is one of the graph.
//
// Levels are found from the parents alone, so nothing is believed of the search. Source: Graph500
// benchmark specification, "Validation".
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <apps/graph/edge_lists.hpp>

#include <cstdint>
#include <string>

namespace acre::graph {

struct verdict {
  std::string problem;      ///< nothing where the tree is right; the same on all members
  std::uint64_t edges = 0;  ///< of the list, in the component: what traversed edges a second count
};

/// Collective. @param list  whose edges the graph has
/// @param parents  none (the largest number) of a vertex that was not reached
[[nodiscard]] verdict validate(const csr_graph& graph, const edge_walk& list, std::uint64_t root,
                               const dense_vector<column_t>& parents);

}  // namespace acre::graph
