// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/box_span.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace {

using acre::box_span;

static_assert(std::is_trivially_copyable_v<box_span<int, 3>>);
static_assert(std::convertible_to<box_span<int, 2>, box_span<const int, 2>>);
static_assert(!std::convertible_to<box_span<const int, 2>, box_span<int, 2>>);

std::vector<int> counted(std::size_t size) {
  std::vector<int> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(BoxSpan, FindsElementsByTheirCoordinates) {
  std::vector<int> numbers = counted(24);
  const box_span<int, 3> all(numbers.data(), {2, 3, 4});
  EXPECT_EQ(all.size(), 24U);
  EXPECT_EQ(all(1, 2, 3), 23);
  EXPECT_EQ(all(0, 1, 2), 6);
  EXPECT_EQ((all[{1, 0, 1}]), 13);
  EXPECT_EQ(all[1][2][3], 23);
  all(0, 0, 0) = 7;
  EXPECT_EQ(numbers[0], 7);
}

TEST(BoxSpan, ItsPartsAreBoxesOfTheSameMemory) {
  std::vector<int> numbers = counted(20);
  const box_span<int, 2> all(numbers.data(), {4, 5});
  const box_span<int, 2> inner = all.sub({.first = {1, 1}, .extents = {2, 3}});
  EXPECT_EQ(inner.extents(), (acre::layout::coordinates<2>{2, 3}));
  EXPECT_EQ(inner(0, 0), 6);
  EXPECT_EQ(inner(1, 2), 13);
  EXPECT_TRUE(all.is_contiguous());
  EXPECT_FALSE(inner.is_contiguous());
  EXPECT_EQ(std::vector<int>(inner.row(1).begin(), inner.row(1).end()),
            (std::vector<int>{11, 12, 13}));
}

TEST(BoxSpan, GivesRunsThatLieInOnePiece) {
  std::vector<int> numbers = counted(60);
  const auto runs_of = [](const auto& span) {
    std::vector<std::size_t> lengths;
    int sum = 0;
    span.each_run([&](std::span<int> run) {
      lengths.push_back(run.size());
      sum = std::accumulate(run.begin(), run.end(), sum);
    });
    lengths.push_back(static_cast<std::size_t>(sum));
    return lengths;
  };
  const box_span<int, 3> all(numbers.data(), {3, 4, 5});
  EXPECT_EQ(runs_of(all), (std::vector<std::size_t>{60, 1770}));
  EXPECT_EQ(runs_of(all.sub({.first = {0, 1, 0}, .extents = {2, 2, 5}})),
            (std::vector<std::size_t>{10, 10, 390}));
  EXPECT_EQ(runs_of(all.sub({.first = {2, 3, 1}, .extents = {1, 1, 2}})),
            (std::vector<std::size_t>{2, 113}));
  EXPECT_EQ(runs_of(box_span<int, 1>(numbers.data(), {3}, {20})),
            (std::vector<std::size_t>{1, 1, 1, 60}));
  EXPECT_EQ(runs_of(all.sub({.first = {0, 0, 0}, .extents = {3, 0, 5}})),
            (std::vector<std::size_t>{0}));
}

TEST(BoxSpan, RefusesCoordinatesOutside) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "only checked builds look";
  std::vector<int> numbers = counted(20);
  const box_span<int, 2> all(numbers.data(), {4, 5});
  EXPECT_THROW(static_cast<void>(all(4, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(all(0, 5)), acre::error);
  EXPECT_THROW(static_cast<void>(all[4]), acre::error);
  const box_span<int, 2> columns(numbers.data(), {4, 5}, {1, 4});
  EXPECT_THROW(static_cast<void>(columns.row(1)), acre::error);
  EXPECT_THROW(static_cast<void>(columns.flat()), acre::error);
  EXPECT_THROW(static_cast<void>(all.sub({.first = {3, 0}, .extents = {2, 1}})), acre::error);
}

}  // namespace
