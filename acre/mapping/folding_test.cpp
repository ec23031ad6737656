// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/folding.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace acre::mapping;
using extents = std::vector<std::uint32_t>;

TEST(Folding, FindsTheFactorsOfBothGrids) {
  const extents from{32, 32};
  const extents to{8, 8, 16};
  const std::vector<folding> all = foldings(from, to, 1000);
  ASSERT_FALSE(all.empty());
  for (const folding& each : all) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::uint32_t product = 1;
      for (const std::uint32_t factor : each[i]) product *= factor;
      EXPECT_EQ(product, from[i]);
    }
    for (std::size_t j = 0; j < to.size(); ++j) {
      std::uint32_t product = 1;
      for (const auto& row : each) product *= row[j];
      EXPECT_EQ(product, to[j]);
    }
  }
  EXPECT_NE(std::ranges::find(all, folding{{8, 1, 4}, {1, 8, 4}}), all.end());
}

TEST(Folding, PutsSharedDimensionsLast) {
  const std::vector<folding> all = foldings(extents{4, 6}, extents{6, 4}, 100);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), (folding{{1, 4}, {6, 1}}));
}

TEST(Folding, HasNoneForGridsThatDoNotFit) {
  EXPECT_TRUE(foldings(extents{4, 4}, extents{4, 5}, 10).empty());
  EXPECT_TRUE(foldings(extents{}, extents{1}, 10).empty());
  EXPECT_LE(foldings(extents{1U << 15, 1U << 15}, extents{1U << 10, 1U << 10, 1U << 10}, 10).size(),
            10U);
}

TEST(Folding, PutsEachCellSomewhere) {
  for (const folding& each : foldings(extents{12, 12, 4}, extents{8, 9, 8}, 50)) {
    order cells = folded(each);
    std::ranges::sort(cells);
    EXPECT_EQ(cells, rows(extents{12, 12, 4}));
  }
}

TEST(Folding, MovesAlongOneDimensionAtAStep) {
  const extents from{32, 32};
  const extents to{8, 8, 16};
  for (const folding& each : foldings(from, to, 20)) {
    const order cells = folded(each);
    order place(cells.size());
    for (cell_t at = 0; at < cells.size(); ++at) place[cells[at]] = at;
    for (cell_t cell = 0; cell < place.size(); ++cell) {
      if (cell % 32 == 31) continue;
      cell_t a = place[cell];
      cell_t b = place[cell + 1];
      int changed = 0;
      for (const std::uint32_t extent : {16U, 8U, 8U}) {
        changed += a % extent != b % extent;
        a /= extent;
        b /= extent;
      }
      EXPECT_EQ(changed, 1);
    }
  }
}

TEST(Folding, OfTheSameGridIsTheGrid) {
  const auto all = foldings(extents{3, 4}, extents{3, 4}, 1);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(folded(all.front()), rows(extents{3, 4}));
}

}  // namespace
