#include <acre/layout/deduction.hpp>

#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

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

using for_stencil = decltype(make_pattern<use_case::stencil<1, 1>>({4, 4}, 1));
using for_dgemm = decltype(make_pattern<use_case::dgemm>({4, 4}, 1));
static_assert(has_property<for_stencil, layout::linear_layout>);
static_assert(has_property<for_dgemm, layout::blocked_layout>);
static_assert(!has_property<for_dgemm, layout::canonical_layout>);

}  // namespace
