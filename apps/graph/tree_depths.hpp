// SPDX-License-Identifier: BSD-3-Clause
// Distances from a root by the edges of a search tree, and trees by distances.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <apps/graph/neighbour_values.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace acre::graph {

/// Depth of each vertex; the maximum without a parent. Collective.
/// @param parents  valid tree; the root's parent is itself, the maximum means no parent
[[nodiscard]] dense_vector<std::uint32_t> depths_of(const dense_vector<column_t>& parents);

/// For each vertex the least predecessor on a shortest path; itself for the root, the maximum if
/// unreached. Collective.
/// @param incoming  edges into each vertex
/// @param length  positive length of an edge: length(a, b)
template <class Length>
[[nodiscard]] dense_vector<column_t> predecessors_of(const csr_graph& incoming, std::uint64_t root,
                                                     const dense_vector<std::uint32_t>& distances,
                                                     const Length& length) {
  constexpr auto unreached = std::numeric_limits<std::uint32_t>::max();
  dense_vector<column_t> found(incoming.members(), incoming.cut(),
                               std::numeric_limits<column_t>::max());
  const neighbour_values<std::uint32_t> before(incoming, distances);
  for (std::size_t row = 0; row < found.local().size(); ++row) {
    const std::uint64_t vertex = found.local_offset() + row;
    const std::uint32_t mine = distances.local()[row];
    column_t& predecessor = found.local()[row];
    if (vertex == root) predecessor = static_cast<column_t>(root);
    if (mine == unreached || vertex == root) continue;
    before.each(row, [&](column_t from, std::uint32_t so_far) {
      if (from >= predecessor || so_far >= mine) return;
      if (so_far + length(from, vertex) == mine) predecessor = from;
    });
  }
  return found;
}

}  // namespace acre::graph
