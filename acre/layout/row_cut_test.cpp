// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/row_cut.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace {

using acre::row_cut;

TEST(RowCut, FindsTheMemberOfEachRow) {
  const row_cut cut({0, 2, 2, 5});
  const std::vector<acre::layout::member_t> expected{0, 0, 2, 2, 2};
  for (std::size_t row = 0; row < cut.rows(); ++row) EXPECT_EQ(cut.owner(row), expected[row]);
  EXPECT_EQ(cut.members(), 3U);
  EXPECT_EQ(cut.count_of(1), 0U);
  EXPECT_EQ(cut.largest(), 3U);
}

TEST(RowCut, GivesEqualRunsOfRows) {
  EXPECT_EQ(row_cut::equal(10, 4), row_cut({0, 3, 6, 9, 10}));
  EXPECT_EQ(row_cut::equal(2, 4), row_cut({0, 1, 2, 2, 2}));
  EXPECT_EQ(row_cut::equal(5, 4), row_cut({0, 2, 4, 5, 5}));
  EXPECT_EQ(row_cut::equal(0, 2), row_cut({0, 0, 0}));
}

TEST(RowCut, AscendsFromZero) {
  EXPECT_THROW(row_cut(std::vector<std::size_t>{}), acre::error);
  EXPECT_THROW(row_cut({1, 2}), acre::error);
  EXPECT_THROW(row_cut({0, 2, 1}), acre::error);
}

TEST(RowCut, IsForOneMemberAtLeast) {
  EXPECT_THROW(static_cast<void>(row_cut::equal(5, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(row_cut::equal(0, 0)), acre::error);
}

}  // namespace
