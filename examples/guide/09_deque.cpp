// SPDX-License-Identifier: BSD-3-Clause
// Counts the ways to place 7 queens on a board such that none attacks another.
#include <acre/acre.hpp>
#include <acre/ordered.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

constexpr unsigned side = 7;

// Queens in the first rows, and the places of the next row that they attack.
struct board {
  unsigned row = 0;
  unsigned columns = 0;
  unsigned left = 0;
  unsigned right = 0;
};

int main() {
  const acre::job job;
  std::vector<acre::deque<board>> boards;  // one on each rank
  for (acre::rank_t i = 0; i < acre::size(); ++i) {
    boards.emplace_back(acre::world(), acre::hosted_by{i});
  }
  acre::hosted_array<long> open(acre::world(), acre::hosted_by{0}, 1, 1);  // boards to search
  acre::deque<board>& mine = boards[acre::rank()];
  if (acre::rank() == 0) mine.push_back(board{});
  acre::barrier();

  const auto take = [&]() -> std::optional<board> {
    if (const auto own = mine.pop_back()) return own;
    for (acre::rank_t i = 1; i < acre::size(); ++i) {
      const acre::rank_t victim = (acre::rank() + i) % acre::size();
      if (const auto stolen = boards[victim].pop_front()) return stolen;
    }
    return std::nullopt;
  };
  std::uint64_t solutions = 0;
  while (acre::atomic_load(open.pointer(0)) != 0) {
    const std::optional<board> next = take();
    if (!next) {
      acre::progress();
      continue;
    }
    std::vector<board> children;
    const unsigned attacked = next->columns | next->left | next->right;
    for (unsigned place = 1; next->row < side && place < 1U << side; place *= 2) {
      if ((attacked & place) != 0) continue;
      children.push_back({next->row + 1, next->columns | place, (next->left | place) << 1,
                          (next->right | place) >> 1});
    }
    if (next->row == side) ++solutions;
    acre::fetch_add(open.pointer(0), static_cast<long>(children.size()) - 1);
    mine.push_back(children);
  }
  solutions = acre::world().allreduce(solutions);
  if (acre::rank() == 0) std::printf("%u solutions\n", static_cast<unsigned>(solutions));
}
