// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/semiring.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace {

namespace semirings = acre::semirings;

template <class S>
void expect_zero_annihilates() {
  using T = typename S::value_type;
  using limits = std::numeric_limits<T>;
  for (const T each : {limits::lowest(), T(0), T(5), limits::max(), static_cast<T>(-1)}) {
    EXPECT_EQ(S::multiply(S::zero(), each), S::zero()) << +each;
    EXPECT_EQ(S::multiply(each, S::zero()), S::zero()) << +each;
  }
}

TEST(Semirings, OfSumsHaveAZeroThatAnnihilates) {
  expect_zero_annihilates<semirings::min_plus<int>>();
  expect_zero_annihilates<semirings::min_plus<std::int8_t>>();
  expect_zero_annihilates<semirings::min_plus<std::uint16_t>>();
  expect_zero_annihilates<semirings::min_plus<std::uint64_t>>();
  expect_zero_annihilates<semirings::max_plus<int>>();
  expect_zero_annihilates<semirings::max_plus<std::int64_t>>();
  expect_zero_annihilates<semirings::max_plus<std::uint32_t>>();
}

template <class S>
void expect_ends() {
  using T = typename S::value_type;
  using limits = std::numeric_limits<T>;
  EXPECT_EQ(S::multiply(T(3), T(4)), T(7));
  EXPECT_EQ(S::multiply(limits::max() - 1, T(5)), limits::max());
  EXPECT_EQ(S::multiply(limits::lowest() + 1, T(-5)), limits::lowest());
  EXPECT_EQ(S::multiply(T(-5), limits::lowest() + 1), limits::lowest());
}

TEST(Semirings, OfSumsEndWhereIntegersDo) {
  expect_ends<semirings::min_plus<int>>();
  expect_ends<semirings::max_plus<int>>();
  expect_ends<semirings::max_plus<std::int8_t>>();
  using limits = std::numeric_limits<int>;
  EXPECT_EQ(semirings::min_plus<int>::multiply(limits::lowest(), -1), limits::lowest());
  EXPECT_EQ(semirings::max_plus<int>::multiply(limits::max(), 1), limits::max());
}

TEST(Semirings, OfSumsAddFloatingPointAsItIs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(semirings::min_plus<double>::multiply(infinity, -3.5), infinity);
  EXPECT_EQ(semirings::max_plus<double>::multiply(-infinity, 3.5), -infinity);
  EXPECT_EQ(semirings::max_plus<double>::multiply(1.5, 2), 3.5);
}

TEST(Semirings, OfProductsWrapSmallUnsignedIntegers) {
  constexpr auto square = semirings::plus_times<std::uint16_t>::multiply(65535, 65535);
  EXPECT_EQ(square, 1);
  EXPECT_EQ(semirings::plus_times<std::uint32_t>::multiply(4294967295U, 2), 4294967294U);
  EXPECT_EQ(semirings::plus_times<int>::multiply(-3, 4), -12);
  EXPECT_TRUE(semirings::plus_times<bool>::multiply(true, true));
}

}  // namespace
