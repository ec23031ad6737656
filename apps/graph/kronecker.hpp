// SPDX-License-Identifier: BSD-3-Clause
// Kronecker graphs of Graph500: 2^scale vertices, by default sixteen edges each. Each of `scale`
// steps selects a quadrant of the adjacency matrix (0.57, 0.19, 0.19, 0.05); vertices are then
// renumbered. Edges do not depend on the ranks.
//
// Source: Graph500 specification, "Generating the edge list".
#pragma once

#include <acre/base/split_mix.hpp>

#include <apps/graph/edge.hpp>
#include <apps/graph/vertex_shuffle.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::graph {

/// Start vertex `number` for searches, equal on all ranks.
[[nodiscard]] inline std::uint64_t root_of(std::uint64_t vertices, std::uint64_t seed,
                                           std::uint64_t number) noexcept {
  return split_mix(~split_mix(seed) + number) % vertices;
}

class kronecker {
 public:
  explicit kronecker(unsigned scale, std::uint64_t seed = 1,
                     std::uint64_t edge_factor = 16) noexcept
      : scale_(scale), seed_(split_mix(seed)), edge_factor_(edge_factor) {}

  [[nodiscard]] std::uint64_t vertices() const noexcept { return std::uint64_t{1} << scale_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edge_factor_ << scale_; }

  [[nodiscard]] edge operator[](std::uint64_t number) const noexcept {
    edge made{0, 0};
    for (unsigned step = 0; step < scale_; ++step) {
      const std::uint64_t random = split_mix(seed_ + (number << 6 | step));
      const auto half = static_cast<std::uint32_t>(random);
      const auto quarter = static_cast<std::uint32_t>(random >> 32);
      const bool low = half >= part_of(0.57 + 0.19);
      const bool right =
          quarter >= (low ? part_of(0.19 / (0.19 + 0.05)) : part_of(0.57 / (0.57 + 0.19)));
      made.from = made.from << 1 | (low ? 1 : 0);
      made.to = made.to << 1 | (right ? 1 : 0);
    }
    const vertex_shuffle shuffled(scale_, seed_);
    return {shuffled(made.from), shuffled(made.to)};
  }

 private:
  static constexpr std::uint32_t part_of(double share) noexcept {
    return static_cast<std::uint32_t>(share * 4294967296.0);
  }
  unsigned scale_;
  std::uint64_t seed_;
  std::uint64_t edge_factor_;
};

}  // namespace acre::graph
