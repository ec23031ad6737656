// SPDX-License-Identifier: BSD-3-Clause
// Communities by label propagation: in each round all vertices take the most frequent label of
// their neighbours, the least of several. The first labels are the vertices' numbers.
//
// Sources: Raghavan et al., 2007; LDBC Graphalytics (rounds, ties).
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstdint>
#include <string>

namespace acre::graph {

class label_propagation {
 public:
  /// @param graph  symmetric; must outlive the object. Collective
  explicit label_propagation(const csr_graph& graph);

  /// A round. Collective. Cost: 2 B and 1 allreduce; across nodes R or 2 M per owner.
  /// @return false if no label has changed
  bool step();

  [[nodiscard]] const dense_vector<column_t>& labels() const noexcept { return labels_; }
  /// Labels before the last round.
  [[nodiscard]] const dense_vector<column_t>& earlier() const noexcept { return other_; }

 private:
  const csr_graph& graph_;
  dense_vector<column_t> labels_;
  dense_vector<column_t> other_;
};

/// Number of different labels. Collective.
[[nodiscard]] std::uint64_t count_labels(const dense_vector<column_t>& labels);

/// Checks a round. @return empty if right. Collective
[[nodiscard]] std::string problem_of_labels(const csr_graph& graph,
                                            const dense_vector<column_t>& before,
                                            const dense_vector<column_t>& after);

}  // namespace acre::graph
