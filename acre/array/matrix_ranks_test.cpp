// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_blocks.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::layout::coordinates;

static_assert(std::random_access_iterator<acre::matrix<int, 2>::iterator>);
static_assert(!std::copy_constructible<acre::matrix<int, 2>>);
using view_of_ints = decltype(acre::whole(std::declval<acre::matrix<int, 2>&>()));
static_assert(std::ranges::borrowed_range<view_of_ints>);
using const_matrix = const acre::matrix<int, 2>;
static_assert(std::same_as<decltype(std::declval<const_matrix&>().pointer(coordinates<2>())),
                           acre::global_ptr<const int>>);

template <std::size_t N>
std::size_t number_of(const coordinates<N>& at, const coordinates<N>& extents) {
  return acre::layout::row_major::number<N>(at, extents);
}

template <class Matrix>
void expect_a_matrix(Matrix& m) {
  constexpr std::size_t N = Matrix::dimensions;
  const coordinates<N> extents = m.extents();
  const acre::layout::box<N> all{.extents = extents};
  EXPECT_EQ(m.size(), all.size());
  const acre::team& team = m.members();
  for (std::size_t i = team.rank(); i < all.size(); i += team.size()) {
    m[acre::layout::row_major::at<N>(i, extents)] = static_cast<int>(i);
  }
  team.barrier();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(m.at(acre::layout::row_major::at<N>(i, extents)), static_cast<int>(i));
  }
  int expected = 0;
  EXPECT_TRUE(std::ranges::all_of(m, [&](int each) { return each == expected++; }));
  std::size_t own = 0;
  m.each_local_block([&](const acre::layout::box<N>& where, acre::box_span<int, N> block) {
    EXPECT_EQ(where.extents, block.extents());
    for (std::size_t i = 0; i < where.size(); ++i, ++own) {
      coordinates<N> at = acre::layout::row_major::at<N>(i, where.extents);
      const int value = block[at];
      for (std::size_t d = 0; d < N; ++d) at[d] += where.first[d];
      EXPECT_EQ(value, static_cast<int>(number_of(at, extents)));
      EXPECT_TRUE(m.owner(at).is_this_rank());
      EXPECT_EQ(m.pointer(at).local(), &block[acre::layout::row_major::at<N>(i, where.extents)]);
    }
  });
  EXPECT_EQ(team.allreduce(own), all.size());
  team.barrier();
}

TEST(MatrixSmoke, EveryRankReadsWhatEveryOtherWrote) {
  acre::matrix<int, 2> m(acre::world(), {10, 7});
  expect_a_matrix(m);
}

TEST(Matrix, HasAnyNumberOfDimensionsAndAnyExtents) {
  for (const auto& extents : {coordinates<2>{0, 5}, {3, 0}, {1, 1}, {3, 2}, {2, 13}, {11, 3}}) {
    acre::matrix<int, 2> m(acre::world(), extents, -1);
    expect_a_matrix(m);
  }
  acre::matrix<int, 1> line(acre::world(), {17});
  expect_a_matrix(line);
  acre::matrix<int, 3> cube(acre::world(), {4, 3, 5});
  expect_a_matrix(cube);
  acre::matrix<int, 4> four(acre::world(), {2, 3, 2, 3});
  expect_a_matrix(four);
}

TEST(Matrix, TakesPatternsOfAllKinds) {
  using namespace acre;
  const rank_t all = size();
  const auto expect_with = [](const auto& pattern) {
    auto m = make_matrix<int>(world(), pattern, -1);
    expect_a_matrix(m);
  };
  expect_with(make_distribution({9, 5}, all, dist::cyclic, dist::none));
  expect_with(make_distribution({9, 8}, all, dist::tile(2), dist::fixed_tile<3>));
  expect_with(make_distribution({8, 6}, all, dist::weighed({9, 1, 1, 1, 2, 2, 3, 3}), dist::none));
  expect_with(make_pattern<use_case::transpose>({9, 8}, all));
  expect_with(make_pattern<use_case::dgemm>({9, 8}, all));
  expect_with(make_pattern<layout::column_major_layout>({5, 7}, all));
}

TEST(Matrix, LivesOnTeamsToo) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  acre::matrix<int, 2> m(half, {6, 5});
  expect_a_matrix(m);
}

TEST(Matrix, OwnElementsAreABoxOfPlainMemory) {
  acre::matrix<int, 2> m(acre::world(), {9, 8}, 3);
  const auto mine = m.local();
  EXPECT_EQ(mine.extents(), m.local_box().extents);
  EXPECT_TRUE(mine.is_contiguous());
  std::size_t sum = 0;
  mine.each_run([&](std::span<int> run) {
    sum += static_cast<std::size_t>(std::accumulate(run.begin(), run.end(), 0));
  });
  EXPECT_EQ(acre::world().allreduce(sum), 3U * 72U);
  for (std::size_t i = 0; i < mine.extent(0); ++i) {
    for (int& each : mine.row(i)) each = static_cast<int>(acre::rank());
  }
  acre::barrier();
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      EXPECT_EQ(m(i, j), static_cast<int>(m.owner({i, j}).number()));
    }
  }
  acre::barrier();
}

TEST(Matrix, HasNoElementsWhenItIsMovedFrom) {
  acre::matrix<int, 2> m(acre::world(), {9, 8}, 3);
  const auto box = m.local_box();
  acre::matrix<int, 2> moved = std::move(m);
  EXPECT_EQ(moved.local_box(), box);
  EXPECT_EQ(m.size(), 0U);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(m.local().empty());
  EXPECT_TRUE(m.local_box().empty());
  m = std::move(moved);
  EXPECT_EQ(m.local_box(), box);
  EXPECT_TRUE(moved.local_box().empty());  // NOLINT(bugprone-use-after-move)
  acre::barrier();
}

TEST(Matrix, IsWalkedThroughBackwardsAsForwards) {
  acre::matrix<int, 2> m(acre::world(), {7, 6});
  auto by_columns = acre::make_matrix<int>(
      acre::world(), acre::make_pattern<acre::layout::column_major_layout>({7, 6}, acre::size()));
  for (int i = 0; const auto element : m) element = i++;
  for (int i = 0; const auto element : by_columns) element = i++;
  acre::barrier();
  const auto expect_backwards = [](auto&& range, std::vector<int> expected) {
    std::ranges::reverse(expected);
    std::vector<int> seen;
    for (auto at = std::ranges::end(range); at != std::ranges::begin(range);) seen.push_back(*--at);
    EXPECT_EQ(seen, expected);
  };
  std::vector<int> all(42);
  std::iota(all.begin(), all.end(), 0);
  expect_backwards(m, all);
  expect_backwards(by_columns, all);
  const acre::layout::box<2> part{.first = {1, 2}, .extents = {2, 3}};
  expect_backwards(acre::sub(m, part), {8, 9, 10, 14, 15, 16});
  expect_backwards(acre::sub(by_columns, part), {8, 9, 10, 14, 15, 16});
  acre::barrier();
}

TEST(Matrix, IsMadeOfBlocksThatKnowTheirOwners) {
  auto m = acre::make_matrix<int>(acre::world(),
                                  acre::make_distribution({5, 8}, acre::size(), acre::dist::tile(2),
                                                          acre::dist::fixed_tile<3>));
  int number = 0;
  for (const auto& block : acre::blocks(m)) {
    const auto here = block.local();
    EXPECT_EQ(here.empty(), block.global().data().local() == nullptr);
    EXPECT_EQ(block.is_own(), block.owner().is_this_rank());
    EXPECT_TRUE(!block.is_own() || here.size() == block.size());
    if (block.is_own()) here.each_run([&](std::span<int> run) { std::ranges::fill(run, number); });
    ++number;
  }
  EXPECT_EQ(number, 9);
  acre::barrier();
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      EXPECT_EQ(m(i, j), static_cast<int>(i / 2 * 3 + j / 3));
      EXPECT_EQ(acre::block(m, {i / 2, j / 3})(i % 2, j % 3), m(i, j));
    }
  }
  EXPECT_EQ(acre::domain(acre::blocks(std::as_const(m))[5]),
            (acre::layout::box<2>{.first = {2, 6}, .extents = {2, 2}}));
  EXPECT_THROW(static_cast<void>(acre::block(m, {3, 0})), acre::error);
  acre::barrier();
}

TEST(Matrix, HasRowsColumnsAndCommonParts) {
  acre::matrix<int, 2> m(acre::world(), {5, 7});
  for (int i = 0; const auto element : m) element = i++;
  acre::barrier();
  EXPECT_TRUE(std::ranges::equal(acre::row(m, 2), std::vector{14, 15, 16, 17, 18, 19, 20}));
  EXPECT_TRUE(std::ranges::equal(acre::col(m, 3), std::vector{3, 10, 17, 24, 31}));
  const auto a = acre::sub(m, {.first = {1, 1}, .extents = {3, 4}});
  const auto b = acre::sub(m, {.first = {2, 3}, .extents = {3, 4}});
  const auto both = acre::intersection(a, b);
  EXPECT_EQ(acre::domain(both), (acre::layout::box<2>{.first = {2, 3}, .extents = {2, 2}}));
  EXPECT_TRUE(std::ranges::equal(acre::col(both, 1), std::vector{18, 25}));
  EXPECT_TRUE(acre::intersection(both, acre::row(m, 0)).begin() ==
              acre::intersection(both, acre::row(m, 0)).end());
  EXPECT_EQ((a.begin() + 5).index(), 16U);
  std::size_t own = 0;
  const acre::box_span<int, 2> mine = a.local();
  const acre::layout::box<2> where = a.local_box();
  EXPECT_EQ(mine.extents(), where.extents);
  for (std::size_t i = 0; i < mine.extent(0); ++i) {
    for (std::size_t j = 0; j < mine.extent(1); ++j, ++own) {
      EXPECT_EQ(mine(i, j), a(where.first[0] + i, where.first[1] + j));
    }
  }
  EXPECT_EQ(acre::world().allreduce(own), a.size());
  acre::matrix<int, 2> other(acre::world(), {5, 7});
  EXPECT_THROW(static_cast<void>(acre::intersection(a, acre::whole(other))), acre::error);
  acre::barrier();
}

TEST(Matrix, CostsNothingForOwnElementsAndOneReadOrWriteForOthers) {
  acre::matrix<std::uint64_t, 2> m(acre::world(), {8, 8});
  for (const coordinates<2>& at : {coordinates<2>{0, 0}, {7, 7}}) {
    const std::uint64_t cost = m.owner(at).is_this_rank() ? 0 : 1;
    const auto before = acre::counters();
    m[at] = 5;
    const std::uint64_t read = m(at[0], at[1]);
    const auto spent = acre::counters() - before;
    EXPECT_EQ(read, 5U);
    EXPECT_EQ(spent.writes, cost);
    EXPECT_EQ(spent.reads, cost);
    EXPECT_EQ(spent.barriers + spent.atomics, 0U);
  }
  acre::barrier();
}

TEST(Matrix, RefusesElementsThatThereAreNot) {
  acre::matrix<int, 2> m(acre::world(), {4, 5});
  EXPECT_THROW(static_cast<void>(m.at({4, 0})), acre::error);
  EXPECT_THROW(static_cast<void>(m.at({0, 5})), acre::error);
  if constexpr (acre::base::has_checks) {
    EXPECT_THROW(static_cast<void>(m(0, 5)), acre::error);
    EXPECT_THROW(static_cast<void>(m.pointer({9, 9})), acre::error);
  }
  acre::barrier();
}

TEST(Matrix, RefusesOtherExtentsOnOneRank) {
  if (acre::size() == 1) GTEST_SKIP() << "no other rank takes part";
  const bool other = acre::rank() == acre::size() - 1;
  try {
    const acre::matrix<int, 2> m(acre::world(),
                                 other ? coordinates<2>{5, 4} : coordinates<2>{4, 5});
    FAIL() << "it was made";
  } catch (const acre::error& failed) {
    EXPECT_NE(failed.problem().find("they differ in the extents or the pattern"), std::string::npos)
        << failed.what();
  }
  acre::barrier();
}

TEST(Matrix, RefusesAPatternForAnotherTeam) {
  const auto pattern =
      acre::make_distribution({4, 4}, acre::size() + 1, acre::dist::balanced, acre::dist::none);
  try {
    static_cast<void>(acre::make_matrix<int>(acre::world(), pattern));
    FAIL() << "it was made";
  } catch (const acre::error& failed) {
    EXPECT_NE(failed.problem().find("the pattern is for " + std::to_string(acre::size() + 1)),
              std::string::npos);
  }
  acre::barrier();
}

TEST(Matrix, IsMadeOfWhatAFunctionSaysWhateverItsPattern) {
  const auto element = [](std::size_t i, std::size_t j) { return static_cast<int>(100 * i + j); };
  const auto expect_elements = [&](const auto& m) {
    for (std::size_t i = 0; i < m.extent(0); ++i) {
      for (std::size_t j = 0; j < m.extent(1); ++j) EXPECT_EQ(m(i, j), element(i, j));
    }
    acre::barrier();
  };
  const acre::matrix<int, 2> boxes(acre::world(), {7, 5}, element);
  expect_elements(boxes);
  using tiles_pattern = decltype(acre::make_pattern<acre::use_case::transpose>({7, 5}, 1));
  const acre::matrix<int, 2, tiles_pattern> tiles(
      acre::world(), acre::make_pattern<acre::use_case::transpose>({7, 5}, acre::size()), element);
  expect_elements(tiles);
}

TEST(Matrix, AdoptsMemoryOfAnySizes) {
  std::vector<std::size_t> places{0};
  for (acre::rank_t i = 0; i < acre::size(); ++i) places.push_back(places.back() + i);
  const auto pattern =
      acre::make_distribution({places.back()}, acre::size(), acre::dist::at(places));
  const auto memory = acre::allocate<int>(acre::rank() + 1);
  const std::span<int> mine(memory.local(), acre::rank());
  std::ranges::fill(mine, static_cast<int>(acre::rank()));
  using line = acre::matrix<int, 1, std::remove_const_t<decltype(pattern)>>;
  {
    const line m = line::adopt(acre::world(), pattern, mine);
    for (std::size_t i = 0; i < m.size(); ++i) {
      EXPECT_EQ(m(i), static_cast<int>(m.owner({i}).number()));
    }
    EXPECT_EQ(m.local().size(), mine.size());
  }
  if (acre::size() > 1) {
    EXPECT_THROW(
        static_cast<void>(line::adopt(acre::world(), pattern, std::span(memory.local(), 1))),
        acre::error);
  }
  acre::barrier();
  acre::deallocate(memory);
}

}  // namespace
