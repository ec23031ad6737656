// SPDX-License-Identifier: BSD-3-Clause
// Own elements as plain memory, and iterators that step over runs of several members.
#include <acre/array/array.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/layout/distribution.hpp>
#include <acre/view/own.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace {

using numbers = acre::array<int>;
using table = acre::matrix<int, 2>;

// Loops over these are loops over pointers.
static_assert(std::same_as<decltype(acre::own(std::declval<numbers&>())), std::span<int>>);
static_assert(
    std::same_as<decltype(acre::own(std::declval<const numbers&>())), std::span<const int>>);
static_assert(std::same_as<decltype(acre::own(std::declval<numbers&>() | std::views::take(1))),
                           std::span<int>>);
static_assert(std::same_as<decltype(acre::own(std::declval<table&>())), std::span<int>>);
template <class R>
concept has_own = requires(R&& r) { acre::own(std::forward<R>(r)); };
static_assert(has_own<numbers&> && !has_own<numbers>, "a temporary frees its elements");

int value_of(std::size_t index) { return static_cast<int>(3 * index + 1); }

template <class Container>
void expect_own(Container& all) {
  for (std::size_t first = 0; first <= all.size(); first += 1 + all.size() / 9) {
    for (std::size_t count = 0; count <= all.size() - first; count += 1 + all.size() / 7) {
      std::multiset<int> expected;
      for (std::size_t i = first; i < first + count; ++i) {
        if (all.members()[all.pattern().place_of(i).member] == acre::world()[acre::rank()]) {
          expected.insert(value_of(i));
        }
      }
      auto part = all | std::views::drop(first) | std::views::take(count);
      std::multiset<int> found;
      for (const int& each : acre::own(part)) found.insert(each);
      EXPECT_EQ(found, expected) << first << " + " << count;
      std::multiset<int> in_runs;
      for (const std::span<int> run : acre::own_runs(part)) in_runs.insert(run.begin(), run.end());
      EXPECT_EQ(in_runs, expected) << first << " + " << count;
    }
  }
}

template <class Container>
void fill_by_index(Container& all) {
  for (std::size_t i = acre::rank(); i < all.size(); i += acre::size()) {
    *(all.begin() + static_cast<std::ptrdiff_t>(i)) = value_of(i);
  }
  acre::barrier();
}

template <class Container>
void expect_iterators_walk(Container& all) {
  std::size_t index = 0;
  for (auto&& each : all) EXPECT_EQ(each, value_of(index++));
  EXPECT_EQ(index, all.size());
  for (auto i = all.end(); i != all.begin();) EXPECT_EQ(*--i, value_of(--index));
  const auto first = all.begin();
  for (index = 0; index < all.size(); index += 3) {
    EXPECT_EQ(first[static_cast<std::ptrdiff_t>(index)], value_of(index));
    const auto there = first + static_cast<std::ptrdiff_t>(index);
    EXPECT_EQ(*there, value_of(index));
    EXPECT_EQ(int(*there.pointer()), value_of(index));
  }
  acre::barrier();
}

TEST(OwnSmoke, IsEachMembersPartOfARange) {
  numbers a(acre::world(), 101, 0);
  fill_by_index(a);
  expect_own(a);
  expect_iterators_walk(a);
}

TEST(Own, IsAssigned) {
  numbers a(acre::world(), 57, 0);
  for (int& each : acre::own(a)) each = 4;
  std::ranges::for_each(acre::own(a | std::views::drop(50)), [](int& each) { ++each; });
  acre::barrier();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], i < 50 ? 4 : 5);
  acre::barrier();
}

TEST(Own, IsEmptyWithoutElements) {
  numbers none(acre::world(), 0, 0);
  EXPECT_TRUE(acre::own(none).empty());
  EXPECT_TRUE(acre::own_runs(none).empty());
  numbers unmade;
  EXPECT_TRUE(acre::own(unmade).empty());
  acre::barrier();
}

TEST(Own, OfAHostedArrayIsAllAtTheHost) {
  acre::hosted_array<int> a(acre::world(), acre::hosted_by{acre::size() - 1}, 23, 0);
  fill_by_index(a);
  expect_own(a);
  EXPECT_EQ(acre::own(a).size(), acre::rank() + 1 == acre::size() ? 23U : 0U);
  acre::barrier();
}

TEST(Own, JoinsTheRowsOfMatrices) {
  table boxes(acre::world(), {7, 12}, 0);
  fill_by_index(boxes);
  expect_own(boxes);
  expect_iterators_walk(boxes);
  EXPECT_EQ(acre::own(boxes).size(), boxes.local().size());

  auto tiles = acre::make_matrix<int>(
      acre::world(), acre::make_distribution({9, 10}, acre::size(), acre::dist::tile(2),
                                             acre::dist::fixed_tile<3>));
  fill_by_index(tiles);
  expect_own(tiles);
  expect_iterators_walk(tiles);
}

TEST(Own, LeavesOutMargins) {
  acre::halo_matrix<int, 2> bordered(acre::world(), {6, 10}, 1, 0);
  fill_by_index(bordered);
  expect_own(bordered);
  expect_iterators_walk(bordered);
  const auto own = acre::own(bordered);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::distance(own)), bordered.local().size());
}

}  // namespace
