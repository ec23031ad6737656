// SPDX-License-Identifier: BSD-3-Clause
// Core numbers: the k-core is the largest subgraph whose vertices have k neighbours in it; a
// vertex's core number is the largest k whose core has it.
//
// All ranks remove vertices of at most k neighbours: at once over own vertices, over others' in the
// next round.
//
// Sources: Seidman, 1983; Batagelj, Zaveršnik, 2003 (vertices in order of degrees).
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::graph {

/// Core number, and the place in the order of removals: by round, owner and sequence.
struct removal {
  std::uint32_t core;
  std::uint32_t round;
  std::uint32_t sequence;
};

class core_numbers {
 public:
  /// @param graph  symmetric. Collective. Cost for each round: 1 allreduce + distributor::finish.
  explicit core_numbers(const csr_graph& graph);

  [[nodiscard]] const dense_vector<removal>& removals() const noexcept { return removals_; }
  [[nodiscard]] std::uint32_t rounds() const noexcept { return rounds_; }

 private:
  void sort_by_degree();
  [[nodiscard]] std::uint32_t least_degree() const noexcept;
  template <class Send>
  void remove_to(std::uint32_t core, const Send& send);
  void decrement(std::size_t row) noexcept;

  csr_rows<present> rows_;
  dense_vector<removal> removals_;
  std::vector<std::uint32_t> degrees_;
  std::vector<std::uint32_t> order_;   ///< rows by degree; removed ones first
  std::vector<std::uint32_t> places_;  ///< in order_
  std::vector<std::uint32_t> begins_;  ///< in order_, by degree
  std::uint32_t removed_ = 0;
  std::uint32_t core_ = 0;
  std::uint32_t rounds_ = 0;
};

/// Checks both bounds: a vertex of core number k has k neighbours of at least k, and at most k that
/// follow in the order of core numbers and removals.
/// @return empty if right. Collective
[[nodiscard]] std::string problem_of_cores(const csr_graph& graph,
                                           const dense_vector<removal>& removals);

}  // namespace acre::graph
