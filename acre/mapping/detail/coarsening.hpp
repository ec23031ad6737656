// SPDX-License-Identifier: BSD-3-Clause
// Ranks that talk much put together, for the coarser levels of multilevel mapping.
//
// Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular
// graphs, 1998 (heavy edges), with groups of one size, so that each fills a seat.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace acre::mapping {

/// Groups of a level's ranks, which are the ranks of the next one.
struct coarse_level {
  traffic pairs;                             ///< between groups
  std::vector<std::vector<rank_t>> members;  ///< of each group
  std::vector<std::uint32_t> seat_of;        ///< of each group
  std::vector<bool> stays;  ///< of each group, whether its members stay where they sat
};

/// Groups of `size` ranks within each window of seats: the cost stays about what it is. Who sits in
/// a coarse seat that is not whole stays there, with its neighbours in it.
/// @param window   seats that follow each other and are alike; a multiple of `size`, and divides
///                 their number
/// @param is_whole of each coarse seat
[[nodiscard]] coarse_level grouped_within(const traffic& pairs,
                                          const std::vector<std::uint32_t>& seat_of,
                                          const std::vector<bool>& is_whole, std::uint32_t window,
                                          std::uint32_t size, std::mt19937_64& random);

}  // namespace acre::mapping
