// SPDX-License-Identifier: BSD-3-Clause
// A graph with the edges into each vertex.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/transpose.hpp>

#include <apps/graph/edge_lists.hpp>

#include <optional>
#include <utility>

namespace acre::graph {

class two_way_graph {
 public:
  /// Collective. Cost: transpose() of a directed graph.
  two_way_graph(csr_graph graph, direction entries) : out_(std::move(graph)) {
    if (entries == direction::forward) in_ = transpose(out_);
  }

  [[nodiscard]] const csr_graph& out() const noexcept { return out_; }
  /// Row v holds the starts of edges to v.
  [[nodiscard]] const csr_graph& in() const noexcept { return in_ ? *in_ : out_; }

 private:
  csr_graph out_;
  std::optional<csr_graph> in_;
};

}  // namespace acre::graph
