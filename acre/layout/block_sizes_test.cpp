// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/block_sizes.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

TEST(BlockSizes, FollowEachOther) {
  const acre::block_sizes sizes({13, 5, 5, 13});
  EXPECT_EQ(sizes.blocks(), 4U);
  EXPECT_EQ(sizes.elements(), 36U);
  EXPECT_EQ(sizes.largest(), 13U);
  EXPECT_EQ(sizes.begin_of(2), 18U);
  EXPECT_EQ(sizes.begin_of(4), 36U);
  EXPECT_EQ(sizes.size_of(1), 5U);
}

TEST(BlockSizes, FindTheBlockOfEachElement) {
  const acre::block_sizes sizes({3, 1, 2});
  const std::vector<std::size_t> expected{0, 0, 0, 1, 2, 2};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(sizes.block_of(i), expected[i]);
}

TEST(BlockSizes, NumberTheSizesThatThereAre) {
  const acre::block_sizes sizes({13, 5, 5, 13, 1});
  EXPECT_EQ(std::vector(sizes.distinct().begin(), sizes.distinct().end()),
            (std::vector<std::uint32_t>{1, 5, 13}));
  EXPECT_EQ(sizes.class_of(0), 2U);
  EXPECT_EQ(sizes.class_of(1), 1U);
  EXPECT_EQ(sizes.class_of(4), 0U);
}

TEST(BlockSizes, CoverWhatNoBlockDivides) {
  EXPECT_EQ(acre::block_sizes::covering(10, 4), acre::block_sizes({4, 4, 2}));
  EXPECT_EQ(acre::block_sizes::covering(8, 4), acre::block_sizes::equal(2, 4));
  EXPECT_EQ(acre::block_sizes::covering(0, 4), acre::block_sizes());
}

TEST(BlockSizes, RefuseEmptyBlocks) {
  EXPECT_THROW((acre::block_sizes{3, 0}), acre::error);
  EXPECT_THROW(static_cast<void>(acre::block_sizes::equal(2, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(acre::block_sizes::covering(7, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(acre::block_sizes::equal(std::size_t{1} << 40, 1)), acre::error);
}

}  // namespace
