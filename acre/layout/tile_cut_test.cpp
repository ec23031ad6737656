// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/tile_cut.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

namespace {

using acre::member_grid;
using acre::tile_cut;

TEST(TileCut, GivesEachPlaceToWhereRowsAndColumnsMeet) {
  const tile_cut cut(member_grid{2, 3}, acre::row_cut({0, 4, 5}), acre::row_cut({0, 0, 7, 9}));
  EXPECT_EQ(cut.owner(3, 0), 1U);
  EXPECT_EQ(cut.owner(4, 8), 5U);
  EXPECT_EQ(cut.first_row_of(5), 4U);
  EXPECT_EQ(cut.first_column_of(5), 7U);
  EXPECT_EQ(cut.columns_of(4), 7U);
  EXPECT_EQ(cut.widest(), 7U);
  EXPECT_EQ(cut.stacked(), acre::row_cut({0, 4, 8, 12, 13, 14, 15}));
  EXPECT_EQ(cut.stacked_row(5, 4), 14U);
  EXPECT_EQ(tile_cut::equal(10, 12, 6).grid(), (member_grid{2, 3}));
  EXPECT_EQ(cut.transposed(),
            tile_cut(member_grid{3, 2}, acre::row_cut({0, 0, 7, 9}), acre::row_cut({0, 4, 5})));
  EXPECT_THROW(tile_cut(member_grid{2, 3}, acre::row_cut::equal(5, 3), acre::row_cut::equal(5, 3)),
               acre::error);
}

TEST(TileCut, OfNoColumnsHasNone) {
  EXPECT_EQ(tile_cut::equal(5, 0, 4).widest(), 0U);
  EXPECT_EQ(tile_cut().widest(), 0U);
}

}  // namespace
