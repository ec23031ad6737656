// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/known_grid.hpp>

namespace acre::mapping {

std::uint64_t known_grid::cells() const {
  std::uint64_t all = 0;
  for (const run& each : ranks) all += std::uint64_t{each.last} - each.first + 1;
  return all;
}

std::vector<std::uint32_t> ranks_in_cells(const known_grid& grid, std::uint32_t count) {
  if (grid.cells() != count) return {};
  std::vector<std::uint32_t> ranks;
  ranks.reserve(count);
  std::vector<bool> is_seen(count);
  for (const known_grid::run& each : grid.ranks) {
    for (std::uint64_t rank = each.first; rank <= each.last; ++rank) {
      if (rank >= count || is_seen[rank]) return {};
      is_seen[rank] = true;
      ranks.push_back(static_cast<std::uint32_t>(rank));
    }
  }
  return ranks;
}

}  // namespace acre::mapping
