// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/detail/range_blocks.hpp>

#include <acre/layout/cut.hpp>

namespace acre::algorithm {

range_blocks equal_blocks(std::size_t size, rank_t members) {
  const auto places = layout::places_of(layout::balanced_cut(size, members), members);
  range_blocks blocks(members);
  for (rank_t member = 0; member < members; ++member) {
    blocks[member].first = places[member];
    blocks[member].count = places[member + std::size_t{1}] - places[member];
  }
  return blocks;
}

}  // namespace acre::algorithm
