// SPDX-License-Identifier: BSD-3-Clause
// Graphs G(n, m): m distinct pairs of n vertices. Edge i is the pair of the number that a random
// permutation of all pairs' numbers has at i.
//
// Source of the permutation: Black, Rogaway: Ciphers with arbitrary finite domains, 2002 (Feistel
// rounds, repeated until the number is in the range).
#pragma once

#include <apps/graph/edge.hpp>

#include <cstdint>

namespace acre::graph {

class random_pairs {
 public:
  /// @throws acre::error if there are fewer pairs than `edges`
  random_pairs(std::uint64_t vertices, std::uint64_t edges, std::uint64_t seed, direction entries);

  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  [[nodiscard]] edge operator[](std::uint64_t number) const noexcept;

 private:
  [[nodiscard]] std::uint64_t permuted(std::uint64_t number) const noexcept;

  std::uint64_t vertices_;
  std::uint64_t edges_;
  std::uint64_t seed_;
  direction entries_;
  std::uint64_t pairs_;
  unsigned half_bits_;
};

}  // namespace acre::graph
