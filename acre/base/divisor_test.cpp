// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/divisor.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

using acre::divisor;

static_assert(100 / divisor(7) == 14 && 100 % divisor(7) == 2);
static_assert(5 / divisor() == 5);

constexpr std::uint64_t largest = (std::uint64_t{1} << 63) - 1;

std::vector<std::uint64_t> hard_numbers() {
  std::vector<std::uint64_t> numbers;
  std::mt19937_64 random(5);
  for (int bits = 0; bits <= 62; ++bits) {
    const std::uint64_t power = std::uint64_t{1} << bits;
    numbers.insert(numbers.end(), {power - 1, power, power + 1, random() % power + power});
  }
  numbers.push_back(largest);
  return numbers;
}

TEST(Divisor, DividesAsTheProcessorDoes) {
  const std::vector<std::uint64_t> numbers = hard_numbers();
  for (const std::uint64_t value : numbers) {
    if (value == 0) continue;
    const divisor by(value);
    for (const std::uint64_t dividend : numbers) {
      ASSERT_EQ(dividend / by, dividend / value) << dividend << " / " << value;
      ASSERT_EQ(dividend % by, dividend % value) << dividend << " % " << value;
      // An inexact reciprocal gives wrong quotients near multiples.
      const std::uint64_t multiple = dividend / value * value;
      ASSERT_EQ(multiple / by, multiple / value);
      if (multiple != 0) {
        ASSERT_EQ((multiple - 1) / by, (multiple - 1) / value);
      }
    }
  }
}

}  // namespace
