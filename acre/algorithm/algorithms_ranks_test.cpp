// SPDX-License-Identifier: BSD-3-Clause
// Compares every algorithm on every kind of range with std.
#include <acre/algorithm/compare.hpp>
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/histogram.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/view/shifted.hpp>
#include <acre/view/strided.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <ranges>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using acre::testing::elements_of;
using acre::testing::set_squares;
using acre::testing::squares;
using acre::testing::with_ranges_of_all_kinds;
using acre::testing::with_ranges_of_all_types;

TEST(Algorithms, SegmentsAreTheRangeInOrder) {
  with_ranges_of_all_types([](auto& range) {
    acre::for_each_with_index(range, set_squares);
    std::vector<int> seen;
    for (const auto& segment : acre::ranges::segments(range)) {
      EXPECT_GT(segment.size(), 0U);
      for (const int value : segment) seen.push_back(value);
    }
    EXPECT_EQ(seen, squares(std::ranges::size(range)));
    acre::ranges::members(range).barrier();
  });
}

TEST(AlgorithmsSmoke, LoopsVisitEachElementOnce) {
  with_ranges_of_all_types([](auto& range) {
    const std::size_t size = std::ranges::size(range);
    acre::fill(range, 7);
    EXPECT_EQ(elements_of(range), std::vector<int>(size, 7));
    acre::for_each(range, [](int& element) { ++element; });
    EXPECT_EQ(elements_of(range), std::vector<int>(size, 8));
    acre::for_each_with_index(range, set_squares);
    EXPECT_EQ(elements_of(range), squares(size));
    acre::generate(range, [] { return 3; });
    EXPECT_EQ(elements_of(range), std::vector<int>(size, 3));
    acre::generate_with_index(range, [](std::size_t i) { return static_cast<int>(i) - 5; });
    std::vector<int> expected(size);
    std::iota(expected.begin(), expected.end(), -5);
    EXPECT_EQ(elements_of(range), expected);
  });
}

TEST(Algorithms, ReductionsGiveTheSameOnAllMembers) {
  with_ranges_of_all_kinds([](auto& range) {
    const std::vector<int> values = squares(std::ranges::size(range));
    acre::for_each_with_index(range, set_squares);
    EXPECT_EQ(acre::reduce_on_all(range), std::accumulate(values.begin(), values.end(), 0));
    EXPECT_EQ(acre::reduce_on_all(range, -4, acre::op::max),
              std::accumulate(values.begin(), values.end(), -4,
                              [](int a, int b) { return std::max(a, b); }));
    EXPECT_EQ(acre::transform_reduce_on_all(range, 1.5, acre::op::sum,
                                            [](int each) { return each / 2.0; }),
              std::accumulate(values.begin(), values.end(), 0) / 2.0 + 1.5);
    EXPECT_EQ(acre::count_on_all(range, 4),
              static_cast<std::size_t>(std::ranges::count(values, 4)));
    const auto is_small = [](int value) { return value < 20; };
    EXPECT_EQ(acre::all_of_on_all(range, is_small), std::ranges::all_of(values, is_small));
    EXPECT_EQ(acre::any_of_on_all(range, is_small), std::ranges::any_of(values, is_small));
    EXPECT_EQ(acre::none_of_on_all(range, is_small), std::ranges::none_of(values, is_small));
  });
}

TEST(Algorithms, ReductionsGiveTheirResultToOneMember) {
  acre::testing::with_ranges_of_few_kinds([](auto& range) {
    const std::vector<int> values = squares(std::ranges::size(range));
    acre::for_each_with_index(range, set_squares);
    const acre::team& members = acre::ranges::members(range);
    const acre::rank_t root = members.size() - 1;
    const auto sum = acre::reduce_on(root, range, 3);
    const auto fours = acre::count_on(root, range, 4);
    const auto is_small = [](int value) { return value < 20; };
    const auto small = acre::count_if_on(root, range, is_small);
    EXPECT_EQ(sum.has_value(), members.rank() == root);
    EXPECT_EQ(sum.value_or(-1),
              members.rank() == root ? std::accumulate(values.begin(), values.end(), 3) : -1);
    EXPECT_EQ(fours.has_value(), members.rank() == root);
    EXPECT_EQ(fours.value_or(0),
              members.rank() == root ? static_cast<std::size_t>(std::ranges::count(values, 4)) : 0);
    EXPECT_EQ(small.has_value(), members.rank() == root);
    EXPECT_EQ(small.value_or(0),
              members.rank() == root
                  ? static_cast<std::size_t>(std::ranges::count_if(values, is_small))
                  : 0);
  });
}

TEST(Algorithms, FindTheFirstOfSeveral) {
  with_ranges_of_all_kinds([](auto& range) {
    const std::vector<int> values = squares(std::ranges::size(range));
    acre::for_each_with_index(range, set_squares);
    const auto begin = std::ranges::begin(range);
    EXPECT_EQ(acre::min_element_on_all(range) - begin,
              std::ranges::min_element(values) - values.begin());
    EXPECT_EQ(acre::max_element_on_all(range) - begin,
              std::ranges::max_element(values) - values.begin());
    const auto [least, greatest] = acre::minmax_element_on_all(range);
    const auto expected = std::ranges::minmax_element(values);
    EXPECT_EQ(least - begin, expected.min - values.begin());
    EXPECT_EQ(greatest - begin, expected.max - values.begin());
    for (const int wanted : {0, 4, 28, -1}) {
      EXPECT_EQ(acre::find_on_all(range, wanted) - begin,
                std::ranges::find(values, wanted) - values.begin());
    }
  });
}

TEST(Algorithms, CopyBetweenMemoryAndRanges) {
  with_ranges_of_all_types([](auto& range) {
    const std::vector<int> values = squares(std::ranges::size(range));
    const acre::team& members = acre::ranges::members(range);
    acre::fill(range, -1);
    if (members.rank() == 0) acre::copy(values, range);
    members.barrier();
    std::vector<int> read(values.size());
    acre::copy(range, read);
    EXPECT_EQ(read, values);
    members.barrier();
  });
}

TEST(Algorithms, CopyFromEveryKindAndToEveryKind) {
  acre::testing::ranges_of_all_kinds all(acre::world(), 13);
  acre::testing::ranges_of_all_kinds few(acre::world(), 13);
  all.each([&](auto& one) {
    few.each_of_few([&](auto& other) {
      acre::testing::expect_copied(one, other);
      acre::testing::expect_copied(other, one);
    });
  });
}

TEST(Algorithms, RefuseRangesOfOtherSizes) {
  acre::array<int> numbers(acre::world(), 10, 1);
  std::vector<int> few(9);
  EXPECT_THROW(acre::copy(numbers, few), acre::error);
  EXPECT_THROW(acre::copy(few, numbers), acre::error);
  EXPECT_THROW(acre::copy(numbers, numbers | std::views::take(3)), acre::error);
  acre::barrier();
}

TEST(Algorithms, AFunctionThatThrowsOnOneMemberLetsNobodyWait) {
  acre::array<int> numbers(acre::world(), 4 * acre::size(), 0);
  const bool throws = acre::rank() == acre::size() - 1;
  try {
    acre::for_each(numbers, [&](int& each) {
      if (throws) throw std::runtime_error("on one");
      each = 1;
    });
    EXPECT_FALSE(throws);
  } catch (const std::runtime_error&) {
    EXPECT_TRUE(throws);
  }
  EXPECT_EQ(acre::reduce_on_all(numbers), static_cast<int>(4 * (acre::size() - 1)));
}

TEST(Algorithms, AReductionWhoseFunctionThrowsOnOneMemberFailsOnAll) {
  acre::array<int> numbers(acre::world(), 4 * acre::size(), 1);
  const bool throws = acre::rank() == acre::size() - 1;
  const auto holds = [&](int) -> bool {
    if (throws) throw std::runtime_error("on one");
    return false;
  };
  const auto expect_failure = [&](auto&& reduction) {
    try {
      reduction();
      ADD_FAILURE() << "it did not fail";
    } catch (const acre::error&) {
      EXPECT_FALSE(throws);
    } catch (const std::runtime_error&) {
      EXPECT_TRUE(throws);
    }
  };
  expect_failure([&] { static_cast<void>(acre::count_if_on_all(numbers, holds)); });
  expect_failure([&] { static_cast<void>(acre::find_if_on_all(numbers, holds)); });
  expect_failure([&] {
    static_cast<void>(acre::min_element_on_all(numbers, [&](int a, int) { return holds(a); }));
  });
  const auto is_alike = [&](int a, int) { return !holds(a); };
  expect_failure([&] { static_cast<void>(acre::equal_on_all(numbers, numbers, is_alike)); });
  const auto is_before = [&](int a, int) { return holds(a); };
  expect_failure([&] { static_cast<void>(acre::is_sorted_on_all(numbers, is_before)); });
  expect_failure([&] { static_cast<void>(acre::histogram_on_all(numbers, 2, holds)); });
  EXPECT_EQ(acre::reduce_on_all(numbers), static_cast<int>(4 * acre::size()));
}

TEST(Algorithms, TellTheEndOfAnEmptyBox) {
  acre::matrix<int, 2> m(acre::world(), {4, 4}, 1);
  for (const acre::layout::coordinates<2> extents :
       {acre::layout::coordinates<2>{2, 0}, {0, 2}, {0, 0}}) {
    const auto none = acre::sub(m, {.first = {1, 1}, .extents = extents});
    const auto least = acre::min_element_on_all(none);
    EXPECT_EQ(least, none.end());
    EXPECT_EQ(least.index(), m.size());
    EXPECT_EQ(acre::max_element_on_all(none).index(), m.size());
    EXPECT_EQ(acre::minmax_element_on_all(none).second.index(), m.size());
    EXPECT_EQ(acre::reduce_on_all(none), 0);
  }
  const auto some = acre::sub(m, {.first = {0, 0}, .extents = {2, 2}});
  EXPECT_EQ(acre::find_on_all(some, 99).index(), m.size());
  EXPECT_EQ(acre::find_on_all(some, 1).index(), 0U);
  EXPECT_EQ((some.begin() + 2).index(), 4U);
  const acre::array<int> a(acre::world(), 10, 1);
  EXPECT_EQ(acre::find_on_all(a | acre::views::shift(3), 99).index(), 10U);
  EXPECT_EQ(acre::find_on_all(a | acre::views::shift(3), 1).index(), 3U);
  EXPECT_EQ(acre::find_on_all(a | acre::views::strided(3), 99).index(), 10U);
}

TEST(Algorithms, RefuseBinsOfNoWidth) {
  const acre::array<double> a(acre::world(), 10, 0.5);
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [first, last] : {std::pair(1.0, 1.0), {1.0, 0.0}, {0.0, none}, {none, 1.0}}) {
    EXPECT_THROW(static_cast<void>(acre::histogram_on_all(a, 3, first, last)), acre::error);
  }
  EXPECT_EQ(acre::histogram_on_all(a, 2, 0.0, 1.0), (std::vector<std::size_t>{0, 10}));
}

TEST(Algorithms, MoveNoElementsInLoopsAndReductions) {
  acre::matrix<int, 2> numbers(acre::world(), {40, 30});
  const auto before = acre::counters();
  acre::for_each_with_index(numbers, set_squares);
  acre::for_each(numbers, [](int& each) { ++each; });
  EXPECT_GT(acre::reduce_on_all(numbers), 0);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads + spent.writes + spent.atomics, 0U);
  acre::barrier();
}

}  // namespace
