// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/margins.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/layout/laws.hpp>
#include <acre/layout/properties.hpp>
#include <acre/layout/surroundings.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace {

using namespace acre::layout;

TEST(Margins, LeaveRoomAroundTheElements) {
  const auto plain = acre::make_distribution({8, 6}, 4, acre::dist::balanced, acre::dist::balanced);
  const auto pattern = acre::with_margins(plain, acre::halo_widths<2>{{1, 2}, {3, 0}});
  EXPECT_EQ(pattern.place_of(coordinates<2>{0, 0}), (place{.member = 0, .offset = 1 * 5 + 2}));
  EXPECT_EQ(pattern.place_of(coordinates<2>{5, 4}), (place{.member = 3, .offset = 2 * 5 + 3}));
  EXPECT_EQ(pattern.local_capacity(), 8U * 5U);
  EXPECT_EQ(pattern.local_size(0), 12U);
  EXPECT_EQ(pattern.index_of({.member = 0, .offset = 0}), 0U);
  EXPECT_EQ(pattern.index_of({.member = 3, .offset = 8 * 5 - 1}), 47U);

  using bordered_pattern = decltype(pattern);
  static_assert(has_property<bordered_boxes<2>, margin_layout>);
  static_assert(has_property<bordered_boxes<2>, canonical_layout>);
  static_assert(!has_property<bordered_boxes<2>, blocked_layout>);
  static_assert(!has_property<boxes<2>, margin_layout>);
  static_assert(!bordered_pattern::is_dense);
}

TEST(Margins, KeepTheLawsOfPatterns) {
  using namespace acre;
  for (const member_t members : {1U, 2U, 4U, 7U}) {
    const auto line = make_distribution({11}, members, dist::balanced);
    EXPECT_EQ(broken_law(with_margins(line, halo_widths<1>{{3}, {1}})), "");
    const auto plane = make_distribution({5, 4}, members, dist::blocked, dist::balanced);
    EXPECT_EQ(broken_law(with_margins(plane, halo_widths<2>{{2, 0}, {0, 1}})), "");
    EXPECT_EQ(broken_law(with_margins(plane, halo_widths<2>{{2, 0}, {1, 0}})), "");
    const auto columns = make_pattern<column_major_layout>({4, 2, 3}, members);
    EXPECT_EQ(broken_law(with_margins(columns, 1)), "");
  }
}

TEST(Margins, AreNotNegativeAndNotWiderThanTheWhole) {
  const auto plain = acre::make_distribution({8, 6}, 4, acre::dist::balanced, acre::dist::balanced);
  EXPECT_THROW(static_cast<void>(acre::with_margins(plain, -1)), acre::error);
  EXPECT_THROW(static_cast<void>(acre::with_margins(plain, 7)), acre::error);
  EXPECT_NO_THROW(static_cast<void>(acre::with_margins(plain, 6)));
}

TEST(Surroundings, ReachThroughPartsThatHaveLittle) {
  const lined_up line{.begins = {0, 1, 1, 3, 6},
                      .width_before = 2,
                      .width_after = 2,
                      .margin_before = 3,
                      .wraps_before = true};
  const std::vector<stretch> kept = line.around(2);
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(kept[0].part, 3U);
  EXPECT_EQ(kept[0].from, 2U);
  EXPECT_EQ(kept[0].at, 1U);
  EXPECT_EQ(kept[1].part, 0U);
  EXPECT_EQ(kept[2].where, side::own);
  EXPECT_EQ(kept[2].count, 2U);
  EXPECT_EQ(kept[3].part, 3U);
  EXPECT_EQ(kept[3].count, 2U);
  EXPECT_EQ(kept[3].at, 5U);
  EXPECT_TRUE(line.around(3).back().is_beyond);
  EXPECT_TRUE(line.around(1).empty());
  EXPECT_EQ(line.readers(3), (std::vector<std::size_t>{0, 2, 3}));
}

}  // namespace
