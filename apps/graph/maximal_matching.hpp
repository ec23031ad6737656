// SPDX-License-Identifier: BSD-3-Clause
// A maximal matching: edges without common vertices, to which no edge can be added. The result is
// that of a greedy choice of edges in the order of random priorities, for any number of ranks.
//
// In each round an edge is matched that has the least priority of all remaining edges of both ends.
//
// Source: Blelloch, Fineman, Shun, 2012.
#pragma once

#include <acre/base/split_mix.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace acre::graph {

/// Different for all edges.
[[nodiscard]] inline std::uint64_t edge_priority(std::uint64_t seed, std::uint64_t a,
                                                 std::uint64_t b) noexcept {
  return split_mix(split_mix(seed) ^ (a < b ? a << 32 | b : b << 32 | a));
}

class maximal_matching {
 public:
  static constexpr column_t single = std::numeric_limits<column_t>::max();

  /// @param graph  symmetric. Collective. Cost for each round: 4 B + 2 allreduces.
  maximal_matching(const csr_graph& graph, std::uint64_t seed);

  [[nodiscard]] const dense_vector<column_t>& partners() const noexcept { return partners_; }
  [[nodiscard]] std::uint32_t rounds() const noexcept { return rounds_; }

 private:
  dense_vector<column_t> partners_;
  std::uint32_t rounds_ = 0;
};

/// @return empty if it is a maximal matching. Collective
[[nodiscard]] std::string problem_of_matching(const csr_graph& graph,
                                              const dense_vector<column_t>& partners);

}  // namespace acre::graph
