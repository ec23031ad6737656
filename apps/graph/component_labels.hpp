// SPDX-License-Identifier: BSD-3-Clause
// Connected components by linear algebra: a vertex gets the minimum vertex number of its component.
//
// Each round takes the minimum of neighbours' labels by a (min, second) product, stores it to the
// vertex and its label's vertex by atomic minimum, then follows labels one step.
//
// Source: Zhang, Azad, Buluç, 2020 (FastSV).
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::graph {

class component_labels {
 public:
  /// Collective. @param graph  must outlive the constructor
  explicit component_labels(const csr_graph& graph);

  /// Labels of this rank's vertices, from first() on.
  [[nodiscard]] std::span<const column_t> local() const { return labels_.local(); }
  [[nodiscard]] std::size_t first() const { return labels_.local_offset(); }
  /// Labels of any vertices. Collective.
  [[nodiscard]] std::vector<column_t> of(std::span<const column_t> vertices) const {
    return labels_.gather(vertices);
  }
  /// Number of components. Collective.
  [[nodiscard]] std::size_t count() const;

 private:
  using labels = dense_vector<column_t>;

  bool round(const csr_graph& graph, labels& least);
  void shorten();

  labels labels_;
};

}  // namespace acre::graph
