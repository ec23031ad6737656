// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bag/detail/bag_moves.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

using acre::container::moves_from;
using counts = std::vector<std::uint64_t>;

TEST(BagMoves, EqualiseByTheFewestMoves) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    counts before(1 + random() % 9);
    for (auto& each : before) each = random() % (1 + random() % 40);
    counts after = before;
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const counts moves = moves_from(i, before);
      ASSERT_TRUE(moves.empty() || moves.size() == before.size());
      for (std::size_t j = 0; j < moves.size(); ++j) {
        ASSERT_TRUE(i != j || moves[j] == 0);
        ASSERT_GE(after[i], moves[j]);
        after[i] -= moves[j];
        after[j] += moves[j];
        moved += moves[j];
      }
    }
    const auto [least, most] = std::ranges::minmax(after);
    ASSERT_LE(most - least, 1);
    // Members keep at most the quotient, and as many as the remainder 1 more.
    const std::uint64_t all = std::accumulate(before.begin(), before.end(), std::uint64_t{0});
    const std::uint64_t quotient = all / before.size();
    std::uint64_t surplus = 0;
    std::uint64_t larger = 0;
    for (const auto each : before) {
      surplus += each > quotient ? each - quotient : 0;
      larger += each > quotient ? 1 : 0;
    }
    ASSERT_EQ(moved, surplus - std::min(larger, all % before.size()));
  }
}

TEST(BagMoves, NothingMovesIfNumbersAreEqual) {
  EXPECT_TRUE(moves_from(0, {0, 0, 0}).empty());
  EXPECT_TRUE(moves_from(1, {3, 2, 3, 2}).empty());
  EXPECT_EQ(moves_from(0, {5}), counts{});
  EXPECT_EQ(moves_from(0, {5, 1, 0}), (counts{0, 1, 2}));
}

}  // namespace
