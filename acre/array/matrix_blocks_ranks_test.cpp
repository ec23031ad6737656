// SPDX-License-Identifier: BSD-3-Clause
// Own blocks by number, their neighbours and shifts, and asynchronous copies of them.
#include <acre/algorithm/copy_async.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_blocks.hpp>
#include <acre/array/shift.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/distribution.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::layout::box;
using acre::layout::coordinates;

constexpr coordinates<2> extents_of_tiles{8, 12};

int value_of(std::size_t i, std::size_t j) { return static_cast<int>(100 * i + j); }

/// Tiles of 2 x 2, round-robin in both dimensions: 4 x 6 blocks.
auto tiles() {
  return acre::make_matrix<int>(
      acre::world(), acre::make_distribution(extents_of_tiles, acre::size(), acre::dist::tile(2),
                                             acre::dist::tile(2)));
}
template <class Matrix>
void fill_by_coordinates(Matrix& m) {
  m.each_local_block([](const box<2>& lies, acre::box_span<int, 2> block) {
    for (std::size_t i = 0; i < lies.extents[0]; ++i) {
      for (std::size_t j = 0; j < lies.extents[1]; ++j) {
        block(i, j) = value_of(lies.first[0] + i, lies.first[1] + j);
      }
    }
  });
  acre::barrier();
}
template <class View>
std::vector<int> expected_of(const View& part) {
  std::vector<int> values;
  const auto [i, j] = part.part().first;
  for (std::size_t a = 0; a < part.extent(0); ++a) {
    for (std::size_t b = 0; b < part.extent(1); ++b) values.push_back(value_of(i + a, j + b));
  }
  return values;
}
template <class View>
std::vector<int> copied(const View& part) {
  std::vector<int> buffer(part.size());
  acre::copy_async(part, acre::box_span<int, 2>(buffer.data(), part.extents())).wait();
  return buffer;
}

TEST(MatrixBlocksSmoke, AreCopiedToLocalMemory) {
  auto m = tiles();
  fill_by_coordinates(m);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const auto block = m.block({i, j});
      EXPECT_EQ(block.number(), (coordinates<2>{i, j}));
      EXPECT_EQ(block.part(), (box<2>{{2 * i, 2 * j}, {2, 2}}));
      EXPECT_EQ(copied(block), expected_of(block));
      std::vector<int> buffer(block.size());
      acre::copy_async(block, buffer).wait();
      EXPECT_EQ(buffer, expected_of(block));
    }
  }
  EXPECT_EQ(copied(acre::block(std::as_const(m), {3, 5})), expected_of(m.block({3, 5})));
  EXPECT_THROW(static_cast<void>(m.block({4, 0})), acre::error);
  acre::barrier();
}

TEST(MatrixBlocks, AreNumberedInTheOrderOfEachLocalBlock) {
  auto m = tiles();
  fill_by_coordinates(m);
  std::size_t number = 0;
  m.each_local_block([&](const box<2>& lies, acre::box_span<int, 2> here) {
    const auto block = m.local_block(number++);
    EXPECT_EQ(block.part(), lies);
    EXPECT_TRUE(block.is_own());
    EXPECT_EQ(block.local().data(), here.data());
  });
  EXPECT_EQ(acre::world().allreduce(number), 24U);
  try {
    static_cast<void>(m.local_block(number));
    ADD_FAILURE() << "block " << number;
  } catch (const acre::error& reason) {
    const std::string text = "this rank has " + std::to_string(number) +
                             " blocks, but not number " + std::to_string(number);
    EXPECT_NE(std::string(reason.what()).find(text), std::string::npos) << reason.what();
  }
  acre::barrier();
}

TEST(MatrixBlocks, HaveNeighboursPeriodically) {
  auto m = tiles();
  fill_by_coordinates(m);
  const auto corner = m.block({0, 0});
  EXPECT_EQ(acre::neighbour(corner, {0, -1}).number(), (coordinates<2>{0, 5}));
  EXPECT_EQ(acre::neighbour(corner, {-1, 7}).number(), (coordinates<2>{3, 1}));
  EXPECT_EQ(acre::neighbour(corner, {-9, -12}).number(), (coordinates<2>{3, 0}));
  EXPECT_EQ(acre::neighbour(corner, {0, 0}).part(), corner.part());
  m.each_local_block([&](const box<2>& lies, acre::box_span<int, 2>) {
    const auto west = acre::neighbour(m.block(m.pattern().block_of(lies.first)), {0, -1});
    EXPECT_EQ(west.part().first[1], (lies.first[1] + 10) % 12);
    EXPECT_EQ(copied(west), expected_of(west));
  });
  acre::barrier();
}

TEST(MatrixBlocks, AreShiftedByElementsWithinTheMatrix) {
  auto m = tiles();
  fill_by_coordinates(m);
  const auto block = m.block({1, 2});
  const auto shifted = acre::shift(block, {0, -1});
  EXPECT_EQ(shifted.part(), (box<2>{{2, 3}, {2, 2}}));
  EXPECT_EQ(copied(shifted), expected_of(shifted));
  EXPECT_EQ(acre::shift<1>(block, -1).part(), shifted.part());
  EXPECT_EQ(acre::shift<0>(shifted, 3).part(), (box<2>{{5, 3}, {2, 2}}));
  EXPECT_EQ(acre::shift(acre::sub(std::as_const(m), {{1, 1}, {1, 3}}), {-1, 8}).part(),
            (box<2>{{0, 9}, {1, 3}}));
  try {
    static_cast<void>(acre::shift(block, {0, -5}));
    ADD_FAILURE() << "outside";
  } catch (const acre::error& reason) {
    EXPECT_NE(std::string(reason.what())
                  .find("the box at (2, 4) shifted by (0, -5) exceeds the extents (8, 12) of the "
                        "matrix"),
              std::string::npos)
        << reason.what();
  }
  EXPECT_THROW(static_cast<void>(acre::shift<1>(block, 7)), acre::error);
  acre::barrier();
}

TEST(MatrixBlocks, OfOneBoxAMemberIsThatBox) {
  acre::matrix<int, 2> m(acre::world(), extents_of_tiles, 0);
  fill_by_coordinates(m);
  if (!m.local_box().empty()) {
    const auto mine = m.local_block(0);
    EXPECT_EQ(mine.part(), m.local_box());
    EXPECT_EQ(copied(acre::neighbour(mine, {0, 1})), expected_of(acre::neighbour(mine, {0, 1})));
  }
  EXPECT_THROW(static_cast<void>(m.local_block(1)), acre::error);
  acre::barrier();
}

}  // namespace
