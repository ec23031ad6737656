// SPDX-License-Identifier: BSD-3-Clause
// Ranks from which a grid can be grown: those whose neighbours show all directions.
#pragma once

#include <acre/mapping/detail/neighbour_lists.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::mapping {

/// The neighbours of a rank by direction.
struct seed {
  rank_t rank = nobody;
  std::vector<std::array<rank_t, 2>> lines;  ///< the second is nobody where there is one
  /// How many lines there are, and how many go on both sides.
  [[nodiscard]] std::pair<std::size_t, std::size_t> kind() const {
    const auto whole = std::ranges::count_if(lines, [](auto& each) { return each[1] != nobody; });
    return {lines.size(), static_cast<std::size_t>(whole)};
  }
};

/// Some ranks with all of their directions: of the kinds that are most frequent, some each. At
/// borders, and where neighbours are too many or missing, they are of other kinds than elsewhere.
[[nodiscard]] std::vector<seed> seeds(const neighbour_lists& neighbours);

}  // namespace acre::mapping
