// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/reproducible_sum.hpp>

#include <acre/base/expansion_sum_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using acre::reproducible_sum;
using acre::exact_sums::expansion_sum;

template <class T>
auto bits_of(T x) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(x);
}

template <class T>
T sum_of(const std::vector<T>& values) {
  reproducible_sum<T> sum;
  sum.add(std::span(values));
  return sum.value();
}

template <class T>
T sum_one_by_one(const std::vector<T>& values) {
  reproducible_sum<T> sum;
  for (const T x : values) sum += x;
  return sum.value();
}

template <class T>
T sum_in_parts(std::vector<T> values, std::mt19937_64& random) {
  std::ranges::shuffle(values, random);
  std::vector<reproducible_sum<T>> parts(1 + random() % 9);
  std::span<const T> rest(values);
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.size(), std::size_t{1} + random() % 700);
    parts[random() % parts.size()].add(rest.first(size));
    rest = rest.subspan(size);
  }
  std::ranges::shuffle(parts, random);
  reproducible_sum<T> all;
  for (const auto& each : parts) all += each;
  return all.value();
}

template <class T>
class ReproducibleSums : public ::testing::Test {};
using addends = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReproducibleSums, addends);

TYPED_TEST(ReproducibleSums, AreRoundedOnce) {
  __extension__ using wide = __int128;
  std::mt19937_64 random(41);
  constexpr int precision = std::numeric_limits<TypeParam>::digits;
  for (int round = 0; round < 300; ++round) {
    const int range = static_cast<int>(random() % 60);
    std::vector<TypeParam> values(round < 60 ? static_cast<std::size_t>(round) : random() % 5000);
    wide exact = 0;
    for (TypeParam& x : values) {
      const auto mantissa = static_cast<std::int64_t>(random() >> (64 - precision));
      const auto shift = static_cast<unsigned>(random() % static_cast<unsigned>(range + 1));
      const std::int64_t integer = random() % 2 == 0 ? mantissa : -mantissa;
      x = std::ldexp(static_cast<TypeParam>(integer), static_cast<int>(shift) - 30);
      exact += static_cast<wide>(integer) << shift;
    }
    const TypeParam expected = std::ldexp(static_cast<TypeParam>(exact), -30);
    ASSERT_EQ(bits_of(sum_of(values)), bits_of(expected)) << "round " << round;
    ASSERT_EQ(bits_of(sum_one_by_one(values)), bits_of(expected)) << "round " << round;
    ASSERT_EQ(bits_of(sum_in_parts(values, random)), bits_of(expected)) << "round " << round;
  }
}

TYPED_TEST(ReproducibleSums, AreIndependentOfOrderAndGroupsForAllBits) {
  std::mt19937_64 random(42);
  using bits = decltype(bits_of(TypeParam{}));
  for (int round = 0; round < 60; ++round) {
    std::vector<TypeParam> values(random() % 4000);
    for (TypeParam& x : values) {
      do x = std::bit_cast<TypeParam>(static_cast<bits>(random()));
      while (!std::isfinite(x));
    }
    const TypeParam sum = sum_one_by_one(values);
    ASSERT_EQ(bits_of(sum_of(values)), bits_of(sum));
    for (int i = 0; i < 5; ++i) ASSERT_EQ(bits_of(sum_in_parts(values, random)), bits_of(sum));
  }
}

/// A block of all exponents, so that the numbers after it are added by exponent.
template <class T>
std::vector<T> numbers_of_all_exponents(std::size_t size, std::mt19937_64& random) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values(size);
  for (T& x : values) {
    const auto exponent = static_cast<int>(random() % (2 * limits::max_exponent - 2));
    x = std::ldexp(static_cast<T>(random() >> 40) + 1, exponent + limits::min_exponent - 26);
    if (random() % 2 == 0) x = -x;
  }
  return values;
}

TYPED_TEST(ReproducibleSums, HaveTheSameBitsForNumbersOfEqualExponentsAmongOthers) {
  using T = TypeParam;
  std::mt19937_64 random(45);
  for (const T each : {T(1.75), -T(0x1p-100), std::numeric_limits<T>::denorm_min() * 3,
                       -std::numeric_limits<T>::max(), T(0)}) {
    std::vector<T> values = numbers_of_all_exponents<T>(3000, random);
    const T once = sum_one_by_one(values);
    ASSERT_EQ(bits_of(sum_of(values)), bits_of(once));
    values.insert(values.end(), 140'000, each);
    ASSERT_EQ(bits_of(sum_of(values)), bits_of(sum_one_by_one(values)));
    values.insert(values.end(), 140'000, -each);
    ASSERT_EQ(bits_of(sum_of(values)), bits_of(once));
  }
}

TYPED_TEST(ReproducibleSums, HaveTheSameBitsForAnySizesOfBlocks) {
  using T = TypeParam;
  std::mt19937_64 random(47);
  for (const int most : {20, 100, 700, 3000}) {
    std::vector<T> values = numbers_of_all_exponents<T>(10'000, random);
    values.insert(values.end(), 70'000, T(0.1));
    reproducible_sum<T> sum(T(3));
    reproducible_sum<T> expected(T(3));
    for (const T x : values) expected += x;
    {
      acre::base::block_addition<T> blocks(sum);
      std::span<const T> rest(values);
      while (!rest.empty()) {
        const auto size = std::size_t{1} + random() % static_cast<std::size_t>(most);
        blocks.add(rest.first(std::min(rest.size(), size)));
        rest = rest.subspan(std::min(rest.size(), size));
      }
    }
    ASSERT_EQ(bits_of(sum.value()), bits_of(expected.value())) << most;
  }
}

TYPED_TEST(ReproducibleSums, OfNumbersOfAllExponentsMayBeInfiniteOrNaN) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  std::mt19937_64 random(46);
  const std::vector<T> numbers = numbers_of_all_exponents<T>(6000, random);
  for (const std::size_t copies : {1UL, 4096UL, 32768UL, 40'000UL}) {
    std::vector<T> values = numbers;
    values.insert(values.begin() + 2000, copies, -limits::infinity());
    EXPECT_EQ(sum_of(values), -limits::infinity());
    values[1999] = limits::quiet_NaN();
    EXPECT_EQ(bits_of(sum_of(values)), bits_of(limits::quiet_NaN()));
    values[1999] = limits::infinity();
    EXPECT_EQ(bits_of(sum_of(values)), bits_of(limits::quiet_NaN()));
    values = numbers;
    values.insert(values.begin() + 2000, copies, -limits::quiet_NaN());
    EXPECT_EQ(bits_of(sum_of(values)), bits_of(limits::quiet_NaN()));
    values = numbers;
    values.insert(values.begin() + 2000, copies, limits::infinity());
    EXPECT_EQ(sum_of(values), limits::infinity());
  }
}

TEST(ReproducibleSum, EqualsTheSumByExpansions) {
  std::mt19937_64 random(43);
  for (int round = 0; round < 60; ++round) {
    const int range = round < 5 ? 0 : 1 << (round % 11);
    std::vector<double> values(random() % 3000);
    for (double& x : values) {
      const double fraction = std::ldexp(static_cast<double>(random() >> 11) + 1, -53);
      const auto exponent =
          static_cast<int>(random() % static_cast<unsigned>(2 * range + 1)) - range;
      x = std::ldexp(random() % 2 == 0 ? fraction : -fraction, std::clamp(exponent, -1070, 1000));
    }
    ASSERT_EQ(bits_of(sum_of(values)), bits_of(expansion_sum(values))) << "round " << round;
  }
}

TEST(ReproducibleSum, CancelsWithoutError) {
  std::mt19937_64 random(44);
  for (const double rest : {0.0, 1e-300, -3.5, std::numeric_limits<double>::denorm_min(), 7e200}) {
    std::vector<double> values{rest};
    for (int i = 0; i < 3000; ++i) {
      const double x =
          std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 1800) - 900);
      values.push_back(x);
      values.push_back(-x);
    }
    std::ranges::shuffle(values, random);
    EXPECT_EQ(sum_of(values), rest);
    EXPECT_FALSE(std::signbit(sum_of(values) - rest));
    EXPECT_EQ(sum_in_parts(values, random), rest);
  }
}

TYPED_TEST(ReproducibleSums, RoundTiesToEven) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  const T whole = std::ldexp(T{1}, limits::digits);
  EXPECT_EQ(sum_of<T>({whole, 1}), whole);
  EXPECT_EQ(sum_of<T>({whole, 2, 1}), whole + 4);
  EXPECT_EQ(sum_of<T>({whole, 1, limits::denorm_min()}), whole + 2);
  EXPECT_EQ(sum_of<T>({whole, 2, 1, -limits::denorm_min()}), whole + 2);
  EXPECT_EQ(sum_of<T>({-whole, -1, -limits::denorm_min()}), -whole - 2);
  EXPECT_EQ(sum_of<T>({2 * whole, -1}), 2 * whole - 1);
}

TYPED_TEST(ReproducibleSums, OverflowOnlyAtTheEnd) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  constexpr T most = limits::max();
  const T half = std::ldexp(T{1}, limits::max_exponent - limits::digits - 1);
  for (const std::size_t copies : {1UL, 50UL, 3000UL}) {
    std::vector<T> values(copies, most);
    values.insert(values.end(), copies - 1, -most);
    EXPECT_EQ(sum_of(values), most);
    values.push_back(std::nextafter(half, T{0}));
    EXPECT_EQ(sum_of(values), most);
    values.back() = half;
    EXPECT_EQ(sum_of(values), limits::infinity());
    for (T& x : values) x = -x;
    EXPECT_EQ(sum_of(values), -limits::infinity());
  }
}

TYPED_TEST(ReproducibleSums, OfInfinitiesAndNaNsAreCanonical) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  const auto nan = bits_of(limits::quiet_NaN());
  for (const std::size_t size : {3UL, 40UL, 2000UL}) {
    for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
      std::vector<T> values(size, T{1});
      values[place] = limits::infinity();
      EXPECT_EQ(sum_of(values), limits::infinity());
      values[(place + 1) % size] = limits::max();
      EXPECT_EQ(sum_of(values), limits::infinity());
      values[(place + 1) % size] = -limits::infinity();
      EXPECT_EQ(bits_of(sum_of(values)), nan);
      values[place] = 1;
      EXPECT_EQ(sum_of(values), -limits::infinity());
      values[(place + 1) % size] = -limits::quiet_NaN();
      EXPECT_EQ(bits_of(sum_of(values)), nan);
      values[place] = -limits::infinity();
      EXPECT_EQ(bits_of(sum_of(values)), nan);
    }
  }
}

TYPED_TEST(ReproducibleSums, OfZerosAreNegativeIfAllAre) {
  using T = TypeParam;
  EXPECT_FALSE(std::signbit(reproducible_sum<T>().value()));
  for (const std::size_t size : {1UL, 31UL, 40UL, 3000UL}) {
    std::vector<T> values(size, -T{0});
    EXPECT_TRUE(std::signbit(sum_of(values)));
    EXPECT_TRUE(std::signbit((reproducible_sum<T>(-T{0}) + reproducible_sum<T>()).value()));
    EXPECT_FALSE(std::signbit((reproducible_sum<T>(-T{0}) + reproducible_sum<T>(0)).value()));
    values.back() = 0;
    EXPECT_FALSE(std::signbit(sum_of(values)));
    values.back() = -T{0};
    values.insert(values.end(), {T{1}, T{-1}});
    EXPECT_EQ(bits_of(sum_of(values)), bits_of(T{0}));
  }
}

TYPED_TEST(ReproducibleSums, OfSubnormalsAreExact) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  constexpr T least = limits::denorm_min();
  EXPECT_EQ(sum_of(std::vector<T>(1000, least)), 1000 * least);
  EXPECT_EQ(sum_of<T>({limits::min(), -least}), limits::min() - least);
  EXPECT_EQ(sum_of(std::vector<T>(4096, limits::min() - least)), 4096 * (limits::min() - least));
  EXPECT_EQ(sum_of<T>({limits::min(), limits::min()}), 2 * limits::min());
}

TYPED_TEST(ReproducibleSums, MayBeOfVeryManyNumbers) {
  reproducible_sum<TypeParam> sum(TypeParam{-3});
  sum += std::numeric_limits<TypeParam>::denorm_min();
  for (int i = 0; i < 55; ++i) sum += reproducible_sum<TypeParam>(sum);
  EXPECT_EQ(sum.value(), std::ldexp(TypeParam{-3}, 55));
  sum += reproducible_sum<TypeParam>(std::ldexp(TypeParam{3}, 55));
  EXPECT_EQ(sum.value(), std::ldexp(std::numeric_limits<TypeParam>::denorm_min(), 55));
}

TEST(ReproducibleSum, OfComplexNumbersHasThePartsSums) {
  using number = std::complex<double>;
  std::vector<number> values(1500, number(1e300, -1));
  values.insert(values.end(), 1500, number(-1e300, 3));
  values.emplace_back(1e-300, 5);
  EXPECT_EQ(sum_of(values), number(1e-300, 3005));
  EXPECT_EQ(sum_one_by_one(values), number(1e-300, 3005));
  EXPECT_EQ((reproducible_sum(number(1, 2)) + reproducible_sum(number(3, -2))).value(),
            number(4, 0));
}

TEST(ReproducibleSum, OfConstantsIsAConstant) {
  static_assert((reproducible_sum<double>(1e100) + reproducible_sum<double>(1) +
                 reproducible_sum<double>(-1e100))
                    .value() == 1);
  static_assert(sizeof(reproducible_sum<double>) == 552 && sizeof(reproducible_sum<float>) == 96);
  static_assert(std::is_trivially_copyable_v<reproducible_sum<double>>);
}

}  // namespace
