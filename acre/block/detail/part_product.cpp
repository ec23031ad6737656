// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/part_product.hpp>

namespace acre::block_matrices {

namespace {

constexpr std::size_t worth_a_step = std::size_t{512} << 10;

}  // namespace

std::vector<inner_range> inner_ranges(const std::vector<std::size_t>& bytes,
                                      const std::vector<rank_t>& groups, std::size_t most) {
  std::vector<inner_range> ranges{{0, 0}};
  std::size_t here = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool begins_group = i > 0 && groups[i] != groups[i - 1];
    const bool is_step = here >= worth_a_step && begins_group;
    if (here > 0 && (is_step || here + bytes[i] > most)) {
      ranges.push_back({i, i});
      here = 0;
    }
    ranges.back().last = i + 1;
    here += bytes[i];
  }
  return ranges;
}

}  // namespace acre::block_matrices
