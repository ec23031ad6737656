// SPDX-License-Identifier: BSD-3-Clause
// Direction-optimising breadth-first search.
//
// Push expands the frontier's rows: within a node by stores without locks, as any concurrent parent
// is valid; to other nodes as pairs, each vertex once per rank. Pull scans rows of unvisited
// vertices for a frontier neighbour; all members have all frontier bits.
//
// Source: Beamer, Asanović, Patterson: Direction-optimizing breadth-first search, 2012.
#pragma once

#include <acre/base/divisor.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace acre::graph {

class breadth_first {
 public:
  /// Parent of unreached vertices.
  static constexpr column_t none = std::numeric_limits<column_t>::max();

  /// @param graph  symmetric, partitioned by whole_words(); must outlive the search. Collective
  explicit breadth_first(const csr_graph& graph);

  /// Searches from `root`, which becomes its own parent. Collective. Cost per level: B and an
  /// allreduce; also an alltoallv for a push between nodes, and R per member for a pull.
  void run(std::uint64_t root);

  [[nodiscard]] const dense_vector<column_t>& parents() const noexcept { return parents_; }
  [[nodiscard]] unsigned levels() const noexcept { return levels_; }
  [[nodiscard]] unsigned pulls() const noexcept { return pulls_; }

 private:
  struct frontier {
    std::uint64_t vertices;
    std::uint64_t edges;
  };
  struct found {
    column_t vertex;
    column_t parent;
  };

  void forget_last();
  void push();
  void push_row(column_t vertex);
  void exchange_far();
  [[nodiscard]] frontier pop_marked();
  [[nodiscard]] frontier pull();
  void enter(std::size_t word, std::uint64_t bits, frontier& level);
  void spread_bits();
  [[nodiscard]] frontier agree(frontier mine) const;

  const csr_graph& graph_;
  csr_rows<present> rows_;
  divisor each_;
  dense_vector<column_t> parents_;
  dense_vector<std::uint8_t> marks_;
  dense_vector<std::uint64_t> bits_;  ///< each member's frontier bits

  // Pointers offset to vertex 0; null on other nodes.
  std::vector<column_t*> near_parents_;
  std::vector<std::uint8_t*> near_marks_;

  std::vector<std::uint64_t> isolated_;
  std::vector<std::uint64_t> visited_;
  std::vector<std::uint64_t> everywhere_;  ///< frontier bits of all members
  std::vector<column_t> queue_;
  std::vector<std::vector<found>> far_;
  std::vector<std::uint64_t> told_;
  unsigned levels_ = 0;
  unsigned pulls_ = 0;
};

}  // namespace acre::graph
