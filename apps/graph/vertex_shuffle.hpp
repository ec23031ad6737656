// SPDX-License-Identifier: BSD-3-Clause
// A permutation of 2^scale vertices. Odd factors and xor-shifts are bijective.
#pragma once

#include <acre/base/split_mix.hpp>

#include <cstdint>

namespace acre::graph {

class vertex_shuffle {
 public:
  vertex_shuffle(unsigned scale, std::uint64_t seed) noexcept : scale_(scale), seed_(seed) {}

  [[nodiscard]] std::uint64_t operator()(std::uint64_t vertex) const noexcept {
    const std::uint64_t all = (std::uint64_t{1} << scale_) - 1;
    for (std::uint64_t round = 0; round < 3; ++round) {
      const std::uint64_t key = split_mix(seed_ ^ round);
      vertex = (vertex * (key | 1) + (key >> 32)) & all;
      vertex ^= vertex >> (scale_ / 2 + 1);
    }
    return vertex;
  }

 private:
  unsigned scale_;
  std::uint64_t seed_;
};

}  // namespace acre::graph
