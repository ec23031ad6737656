// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/deduction.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace {

using namespace acre;
using layout::broken_law;
using layout::has_property;
using layout::member_t;

template <class... Properties, std::size_t N>
void expect_pattern(const std::size_t (&extents)[N]) {
  for (const member_t members : {1U, 4U, 6U, 7U}) {
    const auto pattern = make_pattern<Properties...>(extents, members);
    EXPECT_EQ(pattern.members(), members);
    EXPECT_EQ(pattern.extents(), std::to_array(extents));
    EXPECT_EQ(broken_law(pattern), "");
  }
}

TEST(Deduction, FindsAPatternWithTheProperties) {
  using namespace acre::layout;
  expect_pattern({17});
  expect_pattern({5, 6});
  expect_pattern<minimal_partitioning, regular_partitioning>({5, 6});
  expect_pattern<multiple_mapping>({5, 6});
  expect_pattern<multiple_mapping, column_major_layout>({5, 6});
  expect_pattern<diagonal_mapping, neighbour_mapping>({5, 6});
  expect_pattern<shifted_mapping, blocked_layout>({3, 4, 2});
  expect_pattern<column_major_layout, canonical_layout>({5, 6});
}

TEST(Deduction, FindsAPatternForAUse) {
  expect_pattern<use_case::stencil<1, 1>>({5, 6});
  expect_pattern<use_case::stencil<1, 1, 1>>({3, 4, 2});
  expect_pattern<use_case::dgemm>({6, 6});
  expect_pattern<use_case::transpose>({5, 6});
  expect_pattern<use_case::histogram>({30});
  expect_pattern<properties<use_case::transpose, layout::column_major_layout>>({5, 6});
}

TEST(Deduction, TilesForATransposeGiveEachRowAndColumnToAllMembers) {
  for (const member_t members : {5U, 7U, 10U, 32U, 61U}) {
    const auto pattern = make_pattern<use_case::transpose>({130, 200}, members);
    EXPECT_EQ(pattern.blocks(), (layout::coordinates<2>{members, members}));
    for (std::size_t line = 0; line < members; ++line) {
      std::vector<bool> in_row(members);
      std::vector<bool> in_column(members);
      for (std::size_t i = 0; i < members; ++i) {
        in_row[pattern.owners().slot_of({line, i}).member] = true;
        in_column[pattern.owners().slot_of({i, line}).member] = true;
      }
      EXPECT_EQ(in_row, std::vector<bool>(members, true));
      EXPECT_EQ(in_column, std::vector<bool>(members, true));
    }
    EXPECT_LE(pattern.local_capacity(), pattern.size() / members * 2);
  }
}

TEST(Deduction, AHistogramHasAsManyRowsForEverybodyInOrder) {
  const auto pattern = make_pattern<use_case::histogram>({10, 3}, 4);
  EXPECT_EQ(pattern.local_size(0), 9U);
  EXPECT_EQ(pattern.local_size(3), 6U);
  EXPECT_EQ(pattern.place_of(std::size_t{9}), (layout::place{.member = 1, .offset = 0}));
}

template <class... Properties>
layout::coordinates<3> grid_of(std::size_t side, member_t members, member_t of_node) {
  return make_team_spec<Properties...>({side, side, side}, members, node_members(of_node)).parts;
}

TEST(Deduction, ACompactArrangementHasTheLeastSurface) {
  using layout::compact_arrangement;
  using grid = layout::coordinates<2>;
  EXPECT_EQ((make_team_spec<compact_arrangement>({100, 100}, 12).parts), (grid{4, 3}));
  EXPECT_EQ((make_team_spec<compact_arrangement>({10, 1000}, 12).parts), (grid{1, 12}));
  EXPECT_EQ((grid_of<compact_arrangement>(1000, 9216, 24)), (layout::coordinates<3>{24, 24, 16}));
}

TEST(Deduction, ANodeBalancedArrangementHasAnEqualBoxPerNode) {
  using layout::node_balanced_arrangement;
  using both = properties<use_case::stencil<1, 1>, node_balanced_arrangement>;
  using grid = layout::coordinates<2>;
  const auto pattern = make_pattern<both>({6, 8}, 12, node_members(4));
  EXPECT_EQ(broken_law(pattern), "");
  EXPECT_EQ(pattern.owners().parts(), (grid{3, 4}));
  EXPECT_EQ((make_team_spec<node_balanced_arrangement>({90, 10}, 12, node_members(4)).parts),
            (grid{12, 1}));
  // 24 x 24 x 16 has less surface, but a node would have one and a half rows.
  EXPECT_EQ((grid_of<node_balanced_arrangement>(1000, 9216, 24)),
            (layout::coordinates<3>{24, 16, 24}));
  EXPECT_EQ((make_team_spec<node_balanced_arrangement>({64, 64}, 12, node_members(4),
                                                       team_spec<2>({6, 0}))
                 .parts),
            (grid{6, 2}));
}

TEST(Deduction, ABoxOfANodeHasConsecutiveMembers) {
  using layout::is_node_balanced;
  const auto balanced = [](std::vector<std::size_t> parts, member_t of_node) {
    return is_node_balanced(parts, node_members(of_node));
  };
  EXPECT_TRUE(balanced({3, 4}, 4));
  EXPECT_TRUE(balanced({6, 2}, 4));
  EXPECT_TRUE(balanced({2, 8}, 4));
  EXPECT_FALSE(balanced({4, 3}, 4));
  EXPECT_FALSE(balanced({2, 6}, 4));
  EXPECT_FALSE(balanced({2, 2}, 3));
  EXPECT_TRUE(balanced({2, 2}, 4));
  EXPECT_FALSE(balanced({2, 2}, 8));
  EXPECT_FALSE(balanced({2, 2}, 0));
  EXPECT_TRUE(balanced({1, 7}, 1));
}

TEST(Deduction, RefusesNodesThatFormNoBoxes) {
  using layout::node_balanced_arrangement;
  EXPECT_THROW(
      static_cast<void>(make_team_spec<node_balanced_arrangement>({64, 64}, 10, node_members(4))),
      error);
  EXPECT_THROW(static_cast<void>(make_team_spec<node_balanced_arrangement>(
                   {64, 64}, 12, node_members(4), team_spec<2>({2, 6}))),
               error);
}

using for_stencil = decltype(make_pattern<use_case::stencil<1, 1>>({4, 4}, 1));
using for_dgemm = decltype(make_pattern<use_case::dgemm>({4, 4}, 1));
static_assert(has_property<for_stencil, layout::linear_layout>);
static_assert(has_property<for_dgemm, layout::blocked_layout>);
static_assert(!has_property<for_dgemm, layout::canonical_layout>);

}  // namespace
