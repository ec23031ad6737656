// SPDX-License-Identifier: BSD-3-Clause
// Coarsens traffic: joins ranks with heavy edges (Karypis, Kumar, 1998) into groups of equal size.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace acre::mapping {

struct coarse_level {
  traffic pairs;
  std::vector<std::vector<rank_t>> members;
  std::vector<std::uint32_t> seat_of;
  std::vector<bool> stays;
};

/// Forms groups of `size` ranks within windows of seats, so the cost hardly changes. Ranks on a
/// coarse seat with missing slots stay together.
///
/// @param window number of consecutive equivalent seats; a multiple of `size` that divides the
/// number of all
/// @param is_whole of each coarse seat: all of its slots exist
[[nodiscard]] coarse_level grouped_within(const traffic& pairs,
                                          const std::vector<std::uint32_t>& seat_of,
                                          const std::vector<bool>& is_whole, std::uint32_t window,
                                          std::uint32_t size, std::mt19937_64& random);

}  // namespace acre::mapping
