// SPDX-License-Identifier: BSD-3-Clause
// The graphs of Graph500: Kronecker graphs of 2^scale vertices and sixteen edges, or as many as one
// likes, for each of them.
//
// An edge is made bit by bit: at each of `scale` steps it goes to one of the four quarters of the
// adjacency matrix, with the probabilities 0.57, 0.19, 0.19 and 0.05. Vertices get other numbers
// then, as those that are made so have their neighbours by number. An edge depends on nothing but
// its own number, the scale and the seed: so any number of ranks makes the same graph, each a part.
//
// Source: Graph500 benchmark specification, "Generating the edge list".
#pragma once

#include <acre/base/split_mix.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::graph {

struct edge {
  std::uint64_t from;
  std::uint64_t to;
};

/// A vertex to begin a search at: any number of them, the same for all ranks.
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

  /// One of edges(). Takes `scale` steps.
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
    return {scrambled(made.from), scrambled(made.to)};
  }

 private:
  /// A number below 1 as a part of all that 32 bits count.
  static constexpr std::uint32_t part_of(double share) noexcept {
    return static_cast<std::uint32_t>(share * 4294967296.0);
  }
  /// Another vertex for each: odd factors and shifted sums are one to one among `scale` bits.
  [[nodiscard]] std::uint64_t scrambled(std::uint64_t vertex) const noexcept {
    const std::uint64_t all = vertices() - 1;
    for (std::uint64_t round = 0; round < 3; ++round) {
      const std::uint64_t key = split_mix(seed_ ^ round);
      vertex = (vertex * (key | 1) + (key >> 32)) & all;
      vertex ^= vertex >> (scale_ / 2 + 1);
    }
    return vertex;
  }

  unsigned scale_;
  std::uint64_t seed_;
  std::uint64_t edge_factor_;
};

}  // namespace acre::graph
