// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/detail/range_blocks.hpp>

#include <acre/layout/cut.hpp>

namespace acre::algorithm {

range_blocks equal_blocks(std::size_t size, rank_t members) {
  const layout::balanced_cut cut(size, members);
  range_blocks blocks(members);
  for (rank_t member = 0; member < members; ++member) {
    const bool is_empty = member >= cut.blocks();
    blocks[member].first = is_empty ? size : cut.first(member);
    blocks[member].count = is_empty ? 0 : cut.first(member + std::size_t{1}) - cut.first(member);
  }
  return blocks;
}

}  // namespace acre::algorithm
