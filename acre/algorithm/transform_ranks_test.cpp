// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/compare.hpp>
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace {

using acre::testing::copy_of;
using acre::testing::with_ranges_of_few_kinds;

constexpr auto set_index = [](std::size_t i, auto& element) {
  element = static_cast<std::remove_reference_t<decltype(element)>>(i);
};

TEST(TransformSmoke, WritesFunctionsOfEveryKindOfRange) {
  with_ranges_of_few_kinds([](auto& range) {
    const std::size_t size = std::ranges::size(range);
    acre::array<double> halves(acre::ranges::members(range), size, 0);
    acre::for_each_with_index(range, set_index);
    acre::transform(range, halves, [](int i) { return i / 2.0; });
    acre::transform(halves, range, [](double half) { return static_cast<int>(half * 20); });
    std::vector<int> expected(size);
    for (std::size_t i = 0; i < size; ++i) expected[i] = static_cast<int>(10 * i);
    EXPECT_EQ(copy_of(range), expected);
    acre::transform(range, halves, range,
                    [](int a, double b) { return a - static_cast<int>(4 * b); });
    for (std::size_t i = 0; i < size; ++i) expected[i] = static_cast<int>(8 * i);
    EXPECT_EQ(copy_of(range), expected);
  });
}

TEST(Transform, ReadsManyElementsThroughABoundedBuffer) {
  constexpr std::size_t size = 70'001;
  acre::array<int> in_blocks(acre::world(), size, 0);
  auto in_turn = acre::make_matrix<long>(
      acre::world(), acre::make_distribution({size}, acre::size(), acre::dist::tile(1000)));
  auto backwards = acre::make_matrix<int>(
      acre::world(), acre::make_distribution({size}, acre::size(), acre::dist::tile(999)));
  acre::for_each_with_index(in_blocks, set_index);
  acre::for_each_with_index(backwards,
                            [](std::size_t i, int& each) { each = -static_cast<int>(i); });
  acre::transform(in_blocks, backwards, in_turn, [](int a, int b) { return 3L * a + b; });
  bool is_right = true;
  acre::for_each_with_index(
      in_turn, [&](std::size_t i, long each) { is_right &= each == 2 * static_cast<long>(i); });
  EXPECT_TRUE(is_right);
}

TEST(Transform, MovesNothingWhereRangesAreSpreadAlike) {
  acre::matrix<int, 2> a(acre::world(), {40, 30});
  acre::matrix<int, 2> b(acre::world(), {40, 30});
  const auto before = acre::counters();
  acre::transform(a, b, std::negate<>());
  acre::transform(a, b, b, std::plus<>());
  EXPECT_TRUE(acre::equal_on_all(a, b));
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads + spent.writes, 0U);
  acre::barrier();
}

TEST(Transform, LetsShortRunsOfOtherNodesShareMessages) {
  constexpr std::size_t size = 4000;
  auto in_turn = acre::make_matrix<int>(
      acre::world(), acre::make_distribution({size}, acre::size(), acre::dist::cyclic), 1);
  acre::array<int> in_blocks(acre::world(), size, 0);
  const auto before = acre::counters();
  acre::transform(in_turn, in_blocks, std::negate<>());
  const auto spent = acre::counters() - before;
  EXPECT_LT(spent.network_operations, 10U);
  EXPECT_LT(spent.messages, 100U);
  EXPECT_EQ(std::ranges::count(in_blocks.local(), -1), std::ssize(in_blocks.local()));
  acre::barrier();
}

TEST(Transform, OfAFunctionThatThrowsLetsNobodyWait) {
  acre::array<int> numbers(acre::world(), acre::size(), 0);
  const bool throws = acre::rank() == 0;
  const auto f = [&](int) -> int { return throws ? throw std::runtime_error("on one") : 1; };
  if (throws) {
    EXPECT_THROW(acre::transform(numbers, numbers, f), std::runtime_error);
  } else {
    acre::transform(numbers, numbers, f);
  }
  EXPECT_THROW(acre::transform(numbers, numbers | std::views::drop(1), f), acre::error);
  acre::barrier();
}

TEST(Compare, FindsTheFirstDifference) {
  with_ranges_of_few_kinds([](auto& range) {
    const std::size_t size = std::ranges::size(range);
    acre::array<int> other(acre::ranges::members(range), size, 0);
    acre::for_each_with_index(range, set_index);
    acre::for_each_with_index(other, set_index);
    EXPECT_TRUE(acre::equal_on_all(range, other));
    EXPECT_TRUE(acre::equal_on_all(other, range));
    EXPECT_TRUE(acre::is_sorted_on_all(range));
    for (const std::size_t at : {size / 2, size / 3}) {
      if (size == 0) break;
      if (other.owner(at).is_this_rank()) other[at] = -1;
      EXPECT_FALSE(acre::equal_on_all(range, other));
      const auto [in_range, in_other] = acre::mismatch_on_all(range, other);
      EXPECT_EQ(in_range - std::ranges::begin(range), static_cast<std::ptrdiff_t>(at));
      EXPECT_EQ(in_other.index(), at);
    }
    EXPECT_FALSE(acre::equal_on_all(range, other | std::views::drop(1)) && size != 0);
    EXPECT_EQ(acre::mismatch_on_all(range, other | std::views::take(size / 3)).in1 -
                  std::ranges::begin(range),
              static_cast<std::ptrdiff_t>(size / 3));
  });
}

TEST(Compare, TellsWhetherARangeIsSorted) {
  with_ranges_of_few_kinds([](auto& range) {
    const auto size = static_cast<int>(std::ranges::size(range));
    acre::fill(range, 4);
    EXPECT_TRUE(acre::is_sorted_on_all(range));
    for (const int low : {0, 1, size / 2, size - 1}) {
      acre::for_each_with_index(range, [&](std::size_t i, int& each) {
        each = static_cast<int>(i) == low ? -1 : static_cast<int>(i / 2);
      });
      EXPECT_EQ(acre::is_sorted_on_all(range), low <= 0 || low >= size) << low;
      EXPECT_EQ(acre::is_sorted_on_all(range, std::greater<>(), [](int) { return 1; }), true);
    }
  });
}

}  // namespace
