// SPDX-License-Identifier: BSD-3-Clause
// A sample of views and algorithms; tests/ranges combines all.
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/view/index.hpp>
#include <acre/view/shifted.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <ranges>
#include <string>
#include <tuple>
#include <vector>

namespace {

using acre::testing::copy_of;
namespace views = acre::views;

acre::array<int> count_to(std::size_t size) {
  acre::array<int> numbers(acre::world(), size, 0);
  acre::generate_with_index(numbers, [](std::size_t i) { return static_cast<int>(i); });
  return numbers;
}

TEST(ViewsSmoke, AreReadFromAnyRank) {
  acre::array<int> numbers = count_to(11);
  EXPECT_EQ(copy_of(numbers | views::shift(-3)), (std::vector{8, 9, 10, 0, 1, 2, 3, 4, 5, 6, 7}));
  auto squares = numbers | views::strided(2) | views::transform([](int x) { return x * x; });
  EXPECT_EQ(copy_of(squares), (std::vector{0, 4, 16, 36, 64, 100}));
  EXPECT_EQ(squares[3], 36);
  EXPECT_TRUE(std::ranges::equal(squares | std::views::drop(4), std::vector{64, 100}));
  EXPECT_EQ(acre::reduce_on_all(squares), 220);
  EXPECT_EQ(acre::find_on_all(squares, 16) - squares.begin(), 2);
  acre::barrier();
}

TEST(Views, AreWrittenWhereTheirElementsLie) {
  acre::array<int> numbers = count_to(9);
  acre::fill(numbers | std::views::drop(1) | views::strided(3), -1);
  EXPECT_EQ(copy_of(numbers), (std::vector{0, -1, 2, 3, -1, 5, 6, -1, 8}));
  acre::array<int> others(acre::world(), 9, 2);
  acre::for_each(views::zip(numbers, others), [](auto pair) {
    auto& [x, y] = pair;
    y *= x;
    x = 0;
  });
  EXPECT_EQ(copy_of(others), (std::vector{0, -2, 4, 6, -2, 10, 12, -2, 16}));
  acre::transform(others | views::shift(1), numbers, std::negate<>());
  EXPECT_EQ(copy_of(numbers), (std::vector{2, -4, -6, 2, -10, -12, 2, -16, 0}));
  for (const auto& [i, x] : views::enumerate(numbers)) EXPECT_EQ(numbers[i], x);
  acre::barrier();
}

TEST(Views, KnowWhereTheirElementsAre) {
  acre::array<int> numbers = count_to(12);
  auto some = numbers | std::views::drop(3) | views::strided(4);
  EXPECT_TRUE(std::ranges::equal(views::index(some), std::vector{3U, 7U, 11U}));
  EXPECT_EQ(acre::domain(some), (acre::layout::box<1>{.first = {3}, .extents = {9}}));
  EXPECT_TRUE(std::ranges::equal(views::index(numbers | views::shift(11) | std::views::take(2)),
                                 std::vector{11U, 0U}));
  acre::barrier();
}

TEST(Views, OfRangesSpreadDifferentlyAreNoZip) {
  acre::array<int> numbers = count_to(4 * acre::size());
  auto pairs = views::zip(numbers, numbers | views::shift(1)) |
               views::transform([](const auto& both) { return std::get<0>(both); });
  if (acre::size() == 1) {
    EXPECT_EQ(acre::reduce_on_all(pairs), 6);
  } else {
    EXPECT_THROW(static_cast<void>(acre::reduce_on_all(pairs)), acre::error);
  }
  acre::barrier();
}

TEST(Views, GoForwardByStepsOfOneAtLeast) {
  acre::array<int> numbers = count_to(5);
  EXPECT_THROW(static_cast<void>(numbers | views::strided(0)), acre::error);
  const auto expect_error = [&](auto step, const char* said) {
    try {
      static_cast<void>(numbers | views::strided(step));
      ADD_FAILURE() << "no error";
    } catch (const acre::error& failed) {
      EXPECT_NE(failed.problem().find(said), std::string::npos) << failed.problem();
    }
  };
  expect_error(-2, "step -2 is negative");
  expect_error(~std::size_t{0}, "step 18446744073709551615 is larger than any range");
  acre::barrier();
}

TEST(Views, MoveNothingInLoopsOverOwnElements) {
  acre::array<int> numbers = count_to(400);
  const auto before = acre::counters();
  int sum = 0;
  acre::for_each(numbers | views::transform(std::negate<>()) | views::strided(3),
                 [&](int x) { sum += x; });
  acre::fill(numbers | views::shift(7) | views::strided(2), 1);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads + spent.writes + spent.atomics, 0U);
  EXPECT_EQ(acre::world().allreduce(sum), -133 * 134 / 2 * 3);
}

/// Sanitizers would detect writes to freed buffers.
TEST(Views, WaitForWhatIsUnderWayWhenRangesTurnOutNotToBeAlike) {
  if (acre::size() == 1) return;
  constexpr std::size_t each = 4000;
  const std::size_t all = each * acre::size();
  acre::array<int> a(acre::world(), all, 1);
  auto b = acre::make_matrix<int>(
      acre::world(), acre::make_distribution({all}, acre::size(), acre::dist::tile(each / 2)));
  const auto sums = views::zip(a, b) | views::transform([](const auto& both) {
                      return std::get<0>(both) + std::get<1>(both);
                    });
  std::vector<int> here(all);
  EXPECT_THROW(acre::copy(sums, here), acre::error);
  acre::barrier();
}

}  // namespace
