// SPDX-License-Identifier: BSD-3-Clause
// Betweenness centrality: for each vertex the sum over pairs of the fraction of their shortest
// paths that lead through it; paths have the fewest edges.
//
// Vertices get their distances level by level, and the edges of shortest paths to them. Sums in
// the order of vertices have the same bits on any number of ranks.
//
// Source: Brandes, 2001.
#pragma once

#include <acre/container/distributor.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace acre::graph {

class betweenness {
 public:
  /// @param graph  edges from each vertex; must outlive the object. Collective
  explicit betweenness(const csr_graph& graph);

  /// Adds the pairs from a vertex. Collective. Cost for each level: 2 distributor::finish, 1
  /// allreduce.
  void add_source(std::uint64_t source);

  /// Sum over ordered pairs from the sources.
  [[nodiscard]] const dense_vector<double>& sums() const noexcept { return sums_; }

  /// Checks the last source: the fractions of all vertices are the inner vertices of one shortest
  /// path to each target. @return empty if right; equal on all members. Collective
  [[nodiscard]] std::string problem_of_last() const;

 private:
  static constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

  struct contribution {
    column_t to;
    column_t from;
    double value;
    friend bool operator<(const contribution& a, const contribution& b) noexcept {
      return a.to != b.to ? a.to < b.to : a.from < b.from;
    }
  };
  struct path_edge {
    column_t to;
    column_t from;
  };
  struct level {
    std::vector<std::size_t> rows;
    std::vector<path_edge> edges;  ///< of the shortest paths to these rows
  };

  void send(const contribution& each);
  /// Calls f(row, sum) for each own vertex, in order.
  template <class F>
  void receive(const F& f);
  [[nodiscard]] level next_level(const level& from, std::uint32_t distance);
  void go_back(const level& from);

  const csr_graph& graph_;
  csr_rows<present> rows_;
  distributor<contribution> out_;
  std::vector<contribution> arrived_;
  std::vector<std::uint32_t> distances_;
  std::vector<double> paths_;
  std::vector<double> fractions_;
  dense_vector<double> sums_;
  std::uint64_t source_ = 0;
};

}  // namespace acre::graph
