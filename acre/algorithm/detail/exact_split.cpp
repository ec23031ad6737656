// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/detail/exact_split.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace acre::algorithm {

run_cuts::run_cuts(const range_blocks& blocks, rank_t me)
    : blocks_(blocks),
      size_(blocks[me].count),
      windows_(blocks.size(), {.first = 0, .count = size_}),
      is_found_(blocks.size()) {
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    if (blocks[block].first != 0 && blocks[block].count != 0) continue;
    is_found_[block] = true;
    windows_[block].count = 0;
  }
}

bool run_cuts::are_found() const { return std::ranges::find(is_found_, false) == is_found_.end(); }

void run_cuts::narrow(rank_t block, std::size_t before, std::size_t all, bool is_own) {
  run_part& window = windows_[block];
  const std::size_t end = window.first + window.count;
  if (all == blocks_[block].first) {
    is_found_[block] = true;
    window = {.first = before, .count = 0};
  } else if (all < blocks_[block].first) {
    const std::size_t first = before + (is_own ? 1 : 0);
    window = {.first = first, .count = end - first};
  } else {
    window.count = before - window.first;
  }
}

std::vector<run_part> run_cuts::parts() const {
  std::vector<rank_t> order(blocks_.size());
  std::iota(order.begin(), order.end(), rank_t{0});
  std::erase_if(order, [&](rank_t block) { return blocks_[block].count == 0; });
  std::ranges::sort(order, {}, [&](rank_t block) { return blocks_[block].first; });
  std::vector<run_part> parts(blocks_.size());
  std::size_t end = size_;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t first = windows_[order[i]].first;
    parts[order[i]] = {.first = first, .count = end - first};
    end = first;
  }
  return parts;
}

void throw_no_order(const site& where) {
  throw error("sort",
              "the order is inconsistent, or the members' ranges differ" + describe_place(where),
              "less(a, b) must be a strict weak order, which NaN violates; all members must pass "
              "the same range");
}

}  // namespace acre::algorithm
