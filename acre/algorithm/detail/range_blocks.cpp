#include <acre/algorithm/detail/range_blocks.hpp>

namespace acre::detail {

range_blocks equal_blocks(std::size_t size, rank_t members) {
  const std::size_t each = size / members;
  const std::size_t larger_ones = size % members;
  range_blocks blocks(members);
  std::size_t first = 0;
  for (rank_t member = 0; member < members; ++member) {
    blocks[member].first = first;
    blocks[member].count = each + (member < larger_ones ? 1 : 0);
    first += blocks[member].count;
  }
  return blocks;
}

}  // namespace acre::detail
