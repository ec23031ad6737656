// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/neighbour_lists.hpp>

namespace acre::mapping {

std::vector<rank_t> connected_parts(const neighbour_lists& neighbours) {
  std::vector<rank_t> part(neighbours.ranks(), invalid_rank);
  std::vector<rank_t> walk;
  rank_t parts = 0;
  for (rank_t first = 0; first < neighbours.ranks(); ++first) {
    if (part[first] != invalid_rank) continue;
    part[first] = parts;
    walk.assign(1, first);
    while (!walk.empty()) {
      const rank_t rank = walk.back();
      walk.pop_back();
      for (const rank_t each : neighbours.of(rank)) {
        if (part[each] != invalid_rank) continue;
        part[each] = parts;
        walk.push_back(each);
      }
    }
    ++parts;
  }
  return part;
}

}  // namespace acre::mapping
