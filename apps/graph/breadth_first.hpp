// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search from any vertex, which goes from the frontier to its neighbours while it is
// small, and from the vertices that are left to the frontier while it is large.
//
// A push goes through the rows of the frontier. Where the owner of a neighbour is on this node, its
// parent and a mark, a byte, are stored there: of two that find it at once any is right, so nobody
// locks anything. To other nodes go pairs, each vertex once from each rank. A pull goes through the
// rows of this member's vertices that are left, until a neighbour is in the frontier, whose bits
// all members have then.
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
  /// The parent of a vertex that was not reached.
  static constexpr column_t none = std::numeric_limits<column_t>::max();

  /// @param graph  symmetric, its rows cut by whole_words(); it outlives the search. Collective
  explicit breadth_first(const csr_graph& graph);

  /// From a vertex, whose parent is itself. Collective. Cost: 2 allreduces a level.
  void run(std::uint64_t root);

  [[nodiscard]] const dense_vector<column_t>& parents() const noexcept { return parents_; }
  /// Of the last run: levels, the root's among them, and how many of them were pulled.
  [[nodiscard]] unsigned levels() const noexcept { return levels_; }
  [[nodiscard]] unsigned pulls() const noexcept { return pulls_; }

 private:
  /// What a level has, of all members.
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
  [[nodiscard]] frontier take_marked();
  [[nodiscard]] frontier pull();
  void enter(std::size_t word, std::uint64_t bits, frontier& level);
  void spread_bits();
  [[nodiscard]] frontier agree(frontier mine) const;

  const csr_graph& graph_;
  csr_rows<present> rows_;
  divisor each_;  ///< vertices of a member
  dense_vector<column_t> parents_;
  dense_vector<std::uint8_t> marks_;
  dense_vector<std::uint64_t> bits_;  ///< of the frontier, of each member's vertices

  // Where those of each member are, as if they began with vertex 0; null on other nodes.
  std::vector<column_t*> near_parents_;
  std::vector<std::uint8_t*> near_marks_;

  std::vector<std::uint64_t> isolated_;  ///< this member's vertices without a neighbour
  std::vector<std::uint64_t> visited_;
  std::vector<std::uint64_t> everywhere_;  ///< bits of all members
  std::vector<column_t> queue_;            ///< this member's part of the frontier
  std::vector<std::vector<found>> far_;    ///< for members of other nodes
  std::vector<std::uint64_t> told_;        ///< vertices that were sent to them
  unsigned levels_ = 0;
  unsigned pulls_ = 0;
};

}  // namespace acre::graph
