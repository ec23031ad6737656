// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/curve.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace {

using namespace acre::mapping;
using extents = std::vector<std::uint32_t>;

std::uint32_t apart(cell_t a, cell_t b, const extents& grid) {
  std::uint32_t steps = 0;
  for (auto extent = grid.rbegin(); extent != grid.rend(); ++extent) {
    const std::uint32_t one = a % *extent;
    const std::uint32_t other = b % *extent;
    steps += one > other ? one - other : other - one;
    a /= *extent;
    b /= *extent;
  }
  return steps;
}

std::uint32_t longest_step(const order& cells, const extents& grid) {
  std::uint32_t longest = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    longest = std::max(longest, apart(cells[i - 1], cells[i], grid));
  }
  return longest;
}

const std::vector<extents> grids = {
    {1},       {7},          {4, 4},       {5, 3},    {1, 9, 1},
    {8, 8, 8}, {6, 5, 4, 3}, {3, 1, 2, 7}, {16, 100}, {2, 2, 2, 2, 2}};

bool visits_all_once(order cells, const extents& grid) {
  std::ranges::sort(cells);
  return cells == rows(grid);
}

order in_blocks_of_two_and_three(std::span<const std::uint32_t> grid) {
  extents block(grid.size(), 2);
  block.back() = 3;
  return blocks(grid, block, hilbert(block_counts(grid, block)), snake);
}

TEST(Curve, VisitsEachCellOnce) {
  for (const extents& grid : grids) {
    for (const order_function each :
         {rows, snake, hilbert, gray_code, in_blocks_of_two_and_three}) {
      EXPECT_TRUE(visits_all_once(each(grid), grid));
    }
  }
}

TEST(Curve, OfSnakesGoesFromNeighbourToNeighbour) {
  for (const extents& grid : grids) EXPECT_LE(longest_step(snake(grid), grid), 1U);
}

TEST(Curve, OfHilbertGoesFromNeighbourToNeighbourInCubes) {
  for (const extents& grid : std::vector<extents>{{16}, {8, 8}, {16, 16, 16}, {4, 4, 4, 4}}) {
    EXPECT_EQ(longest_step(hilbert(grid), grid), 1U);
  }
}

TEST(Curve, OfHilbertKeepsNeighboursCloseInAnyGrid) {
  const extents grid{24, 20, 12};
  const auto mean = [&](const order& cells) {
    double sum = 0;
    for (std::size_t i = 16; i < cells.size(); ++i) sum += apart(cells[i - 16], cells[i], grid);
    return sum / static_cast<double>(cells.size() - 16);
  };
  EXPECT_LT(mean(hilbert(grid)), 5);
  EXPECT_GT(mean(rows(grid)), 5);
}

TEST(Curve, OfGrayCodesChangesOneBitOfTheCoordinatesAtATime) {
  EXPECT_EQ(gray_code(extents{4, 2}), (order{0, 1, 3, 2, 6, 7, 5, 4}));
  const extents cube{8, 8, 8};
  const order cells = gray_code(cube);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    EXPECT_TRUE(std::has_single_bit(cells[i - 1] ^ cells[i])) << i;
  }
}

TEST(Curve, IsLaidAlongOtherAxes) {
  const extents grid{2, 3};
  const std::vector<std::uint32_t> columns_first{1, 0};
  const extents other = turned(grid, columns_first);
  EXPECT_EQ(other, (extents{3, 2}));
  EXPECT_EQ(along_axes(rows(other), grid, columns_first), (order{0, 3, 1, 4, 2, 5}));
  EXPECT_TRUE(visits_all_once(along_axes(hilbert(other), grid, columns_first), grid));
}

TEST(Curve, TakesBlocksOneAfterTheOther) {
  const order two{0, 1};
  EXPECT_EQ(blocks(extents{2, 4}, extents{2, 2}, two, rows), (order{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(blocks(extents{2, 3}, extents{2, 2}, two, snake), (order{0, 1, 4, 3, 2, 5}));
  EXPECT_EQ(block_counts(extents{2, 3}, extents{2, 2}), (extents{1, 2}));
}

TEST(Curve, RefusesGridsThatAreNone) {
  EXPECT_THROW(static_cast<void>(rows(extents{0})), acre::error);
  EXPECT_THROW(static_cast<void>(rows(extents{65536, 65536})), acre::error);
  EXPECT_THROW(static_cast<void>(hilbert(extents{1U << 20, 2, 2, 2})), acre::error);
  EXPECT_THROW(static_cast<void>(gray_code(extents{1U << 20, 2, 2, 2})), acre::error);
  EXPECT_THROW(static_cast<void>(block_counts(extents{4, 4}, extents{2})), acre::error);
  EXPECT_THROW(static_cast<void>(block_counts(extents{4}, extents{0})), acre::error);
}

}  // namespace
