// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/histogram.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/rotate.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using acre::testing::copy_of;
using acre::testing::with_ranges_of_all_kinds;
using acre::testing::with_ranges_of_few_kinds;

/// Composes functions x → a x + b modulo 251, with a in the low byte; the order matters.
constexpr auto one_after_the_other = [](int f, int g) {
  const int fa = f & 255, fb = f >> 8, ga = g & 255, gb = g >> 8;
  return (fa * ga % 251) | (fb * ga + gb) % 251 << 8;
};

std::vector<int> set_functions(auto& range) {
  const auto made = [](std::size_t i) {
    return static_cast<int>((i * i + 3) % 250 + 1 + i % 7 * 256);
  };
  acre::for_each_with_index(range, [&](std::size_t i, int& each) { each = made(i); });
  std::vector<int> values(std::ranges::size(range));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = made(i);
  return values;
}

TEST(ScanSmoke, ReplacesElementsByWhatComesBeforeThem) {
  with_ranges_of_all_kinds([](auto& range) {
    std::vector<int> values = set_functions(range);
    acre::inclusive_scan(range, one_after_the_other);
    std::inclusive_scan(values.begin(), values.end(), values.begin(), one_after_the_other);
    EXPECT_EQ(copy_of(range), values);
    acre::exclusive_scan(range, 7, one_after_the_other);
    std::exclusive_scan(values.begin(), values.end(), values.begin(), 7, one_after_the_other);
    EXPECT_EQ(copy_of(range), values);
  });
}

TEST(Scan, WritesToAnotherRange) {
  with_ranges_of_few_kinds([](auto& range) {
    const std::vector<int> values = set_functions(range);
    acre::array<long> sums(acre::ranges::members(range), values.size(), 0);
    std::vector<long> expected(values.begin(), values.end());
    acre::inclusive_scan(range, sums);
    std::inclusive_scan(expected.begin(), expected.end(), expected.begin());
    EXPECT_EQ(copy_of<long>(sums), expected);
    acre::exclusive_scan(sums, range, 5);
    std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 5L);
    EXPECT_EQ(copy_of(range), std::vector<int>(expected.begin(), expected.end()));
  });
}

TEST(Scan, WritesFromOneArrayToAnotherOfTheSameKind) {
  acre::array<int> ones(acre::world(), 20, 1);
  acre::array<int> sums(acre::world(), 20, 0);
  acre::inclusive_scan(ones, sums);
  acre::inclusive_scan(ones | std::views::take(10), sums | std::views::drop(10));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sums[static_cast<std::size_t>(i)], i % 10 + 1);
  acre::barrier();
}

TEST(Scan, OfAnOperationThatThrowsOnOneMemberIsAnErrorOnAll) {
  acre::array<int> numbers(acre::world(), 2 * acre::size(), 1);
  const bool throws = acre::rank() == 0;
  const auto add = [&](int a, int b) { return throws ? throw std::runtime_error("here") : a + b; };
  if (throws) {
    EXPECT_THROW(acre::inclusive_scan(numbers, add), std::runtime_error);
  } else {
    EXPECT_THROW(acre::inclusive_scan(numbers, add), acre::error);
  }
  EXPECT_THROW(acre::inclusive_scan(numbers, numbers | std::views::take(1)), acre::error);
  acre::barrier();
}

TEST(Rotate, MovesEveryElementByAsMuch) {
  with_ranges_of_few_kinds([](auto& range) {
    for (const std::size_t by : {0U, 1U, 5U, 30U}) {
      std::vector<int> values = set_functions(range);
      acre::rotate(range, by);
      if (!values.empty()) {
        std::rotate(values.begin(),
                    values.begin() + static_cast<std::ptrdiff_t>(by % values.size()), values.end());
      }
      EXPECT_EQ(copy_of(range), values);
    }
  });
}

TEST(Rotate, ReversesToo) {
  with_ranges_of_few_kinds([](auto& range) {
    std::vector<int> values = set_functions(range);
    acre::reverse(range);
    std::ranges::reverse(values);
    EXPECT_EQ(copy_of(range), values);
  });
}

TEST(Histogram, CountsElementsByBins) {
  with_ranges_of_few_kinds([](auto& range) {
    acre::for_each_with_index(range,
                              [](std::size_t i, int& each) { each = static_cast<int>(i) - 3; });
    const std::size_t size = std::ranges::size(range);
    std::vector<std::size_t> expected(4);
    for (std::size_t i = 0; i < size; ++i) {
      if (i >= 3 && i < 23) ++expected[(i - 3) / 5];
    }
    EXPECT_EQ(acre::histogram_on_all(range, 4, 0, 20), expected);
    EXPECT_EQ(acre::histogram_on_all(range, 2, [](int each) { return each; }),
              (std::vector<std::size_t>{size > 3 ? 1U : 0U, size > 4 ? 1U : 0U}));
  });
}

TEST(Histogram, TakesTheBordersOfBinsAsTheyAre) {
  acre::array<double> numbers(acre::world(), 7, 0);
  const std::vector<double> values{
      0.0, 0.1, 0.3, 0.7, 1.0, -1e-300, std::numeric_limits<double>::quiet_NaN()};
  if (acre::rank() == 0) acre::copy(values, numbers);
  acre::barrier();
  const auto counts = acre::histogram_on_all(numbers, 10, 0.0, 1.0);
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 1, 0, 1, 0, 0, 0, 1, 0, 0}));
}

}  // namespace
