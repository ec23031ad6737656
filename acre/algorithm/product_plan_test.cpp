// SPDX-License-Identifier: BSD-3-Clause
// Index sets, and grids of members for a product.
#include <acre/algorithm/detail/product_plan.hpp>

#include <acre/algorithm/detail/index_set.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace {

using acre::algorithm::best_grids;
using acre::algorithm::brick;
using acre::algorithm::grid_bricks;
using acre::algorithm::index_set;
using acre::algorithm::interval;
using acre::algorithm::product_extents;
using acre::algorithm::products_of;

TEST(IndexSet, JoinsNeighboursAndKnowsPositions) {
  const index_set all({{20, 25}, {0, 3}, {3, 7}, {9, 9}});
  EXPECT_EQ(all.intervals(), (std::vector<interval>{{0, 7}, {20, 25}}));
  EXPECT_EQ(all.size(), 12U);
  EXPECT_EQ(all.position_of(6), 6U);
  EXPECT_EQ(all.position_of(21), 8U);
  EXPECT_EQ(all.at({5, 9}), index_set({{5, 7}, {20, 22}}));
  EXPECT_EQ(all.at({7, 8}), index_set({{20, 21}}));
  EXPECT_EQ(all.at({4, 4}).size(), 0U);
}

TEST(IndexSet, KnowsWhereCutsLieAmongItsOwn) {
  const index_set all({{2, 6}, {10, 14}});
  EXPECT_EQ(all.positions_of_cuts({0, 4, 8, 12, 16}), (std::vector<std::size_t>{0, 2, 4, 6, 8}));
}

TEST(IndexSet, MakesOneProductOfTheTilesOfAGrid) {
  using box = acre::layout::box<2>;
  const box corner{.first = {0, 0}, .extents = {2, 2}};
  const box right{.first = {0, 4}, .extents = {2, 2}};
  const box below{.first = {4, 0}, .extents = {2, 2}};
  const box across{.first = {4, 4}, .extents = {2, 2}};
  const auto grid = products_of({across, corner, below, right});
  ASSERT_EQ(grid.size(), 1U);
  EXPECT_EQ(grid[0].rows, index_set({{0, 2}, {4, 6}}));
  EXPECT_EQ(grid[0].columns, index_set({{0, 2}, {4, 6}}));
  EXPECT_EQ(products_of({corner, across}).size(), 2U);
}

TEST(ProductPlan, CutsWhatIsLong) {
  EXPECT_EQ(best_grids({4096, 4096, 4096}, 64)[0].grid, (product_extents{4, 4, 4}));
  EXPECT_EQ(best_grids({512, 65536, 512}, 4)[0].grid, (product_extents{1, 4, 1}));
  EXPECT_EQ(best_grids({65536, 512, 512}, 4)[0].grid, (product_extents{4, 1, 1}));
  EXPECT_EQ(best_grids({512, 512, 65536}, 8)[0].grid, (product_extents{1, 1, 8}));
}

TEST(ProductPlan, CutsNoDimensionIntoMoreThanItHas) {
  for (const auto& each : best_grids({3, 2, 5}, 12)) {
    EXPECT_LE(each.grid[0], 3U);
    EXPECT_LE(each.grid[1], 2U);
    EXPECT_LE(each.grid[2], 5U);
  }
  EXPECT_TRUE(best_grids({1, 1, 1}, 2).empty());
}

TEST(ProductPlan, GivesEachPartOfAGridToOneMember) {
  const product_extents all{10, 7, 5};
  double operations = 0;
  for (acre::rank_t member = 0; member < 7; ++member) {
    for (const brick& each : grid_bricks(all, {3, 1, 2}, member)) operations += each.operations();
  }
  EXPECT_EQ(operations, 2.0 * 10 * 7 * 5);
  EXPECT_TRUE(grid_bricks(all, {3, 1, 2}, 6).empty());
}

}  // namespace
