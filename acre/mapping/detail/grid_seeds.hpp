// SPDX-License-Identifier: BSD-3-Clause
// Selects start ranks to grow a grid from.
#pragma once

#include <acre/mapping/detail/neighbour_lists.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::mapping {

struct seed {
  rank_t rank = invalid_rank;
  std::vector<std::array<rank_t, 2>>
      lines;  ///< neighbours on both sides; second: `invalid_rank` at a border
  [[nodiscard]] std::pair<std::size_t, std::size_t> kind() const {
    const auto whole =
        std::ranges::count_if(lines, [](auto& each) { return each[1] != invalid_rank; });
    return {lines.size(), static_cast<std::size_t>(whole)};
  }
};

/// Returns one or two start ranks of each of the most frequent kinds, by the numbers of lines
/// through a rank and of those with neighbours on both sides. Rare kinds are borders and faults.
[[nodiscard]] std::vector<seed> seeds(const neighbour_lists& neighbours);

}  // namespace acre::mapping
