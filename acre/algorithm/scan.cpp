// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/scan.hpp>

#include <algorithm>
#include <numeric>

namespace acre::algorithm {

std::vector<rank_t> members_before(const range_blocks& blocks, rank_t me) {
  std::vector<rank_t> before;
  for (rank_t member = 0; member < blocks.size(); ++member) {
    if (blocks[member].count != 0 && blocks[member].first < blocks[me].first) {
      before.push_back(member);
    }
  }
  std::ranges::sort(before, {}, [&](rank_t member) { return blocks[member].first; });
  return before;
}

bool are_spread_alike(const range_blocks& a, const range_blocks& b) {
  return !a.empty() && std::ranges::equal(a, b, [](const range_block& x, const range_block& y) {
    return x.count == y.count && (x.count == 0 || x.first == y.first);
  });
}

}  // namespace acre::algorithm
