// SPDX-License-Identifier: BSD-3-Clause
// Fraction of a traffic that a structure explains.
#pragma once

#include <acre/mapping/traffic.hpp>

namespace acre::mapping {

/// A structure that explains this fraction ends the search.
inline constexpr double enough_explained = 0.9;
/// A structure that explains less is rejected.
inline constexpr double least_explained = 0.5;

/// Fraction of bytes between ranks with `are_near(one, other)`.
///
/// @param step visits each step-th rank
template <class Near>
double part_of_bytes(const traffic& pairs, Near&& are_near, rank_t step = 1) {
  double near = 0;
  double all = 0;
  for (rank_t rank = 0; rank < pairs.ranks(); rank += step) {
    for (const auto& [to, bytes] : pairs.from(rank)) {
      all += bytes;
      if (are_near(rank, to)) near += bytes;
    }
  }
  return all > 0 ? near / all : 0;
}

}  // namespace acre::mapping
