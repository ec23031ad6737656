// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/column_sums.hpp>

#include <gtest/gtest.h>

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

template <class T>
using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
void expect_sums_of_accumulators(const std::vector<T>& rows, std::size_t width) {
  std::vector<T> sums(width, T{9});
  acre::base::add_columns(std::span<const T>(rows), std::span(sums));
  for (std::size_t column = 0; column < width; ++column) {
    acre::reproducible_sum<T> sum;
    for (std::size_t i = column; i < rows.size(); i += width) sum.add(rows[i]);
    ASSERT_EQ(std::bit_cast<bits<T>>(sums[column]), std::bit_cast<bits<T>>(sum.value()))
        << "column " << column << " of " << width << ", " << rows.size() << " numbers";
  }
}

template <class T>
class ColumnSums : public testing::Test {};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ColumnSums, reals);

TYPED_TEST(ColumnSums, AreThoseOfAccumulators) {
  using T = TypeParam;
  std::mt19937_64 random(51);
  const int widest = std::numeric_limits<T>::max_exponent;
  for (const std::size_t count : {1U, 2U, 3U, 5U, 16U, 100U}) {
    for (const int range : {0, 1, 4, 30, 60, widest}) {
      for (const std::size_t width : {1U, 63U, 64U, 200U}) {
        std::vector<T> rows(count * width);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          // Yields ties, zeros and cancellations.
          const auto low = static_cast<T>(random() % 4);
          const T number = random() % 2 == 0 ? low : static_cast<T>(random());
          const int exponent =
              static_cast<int>(random() % (2U * static_cast<unsigned>(range) + 1)) - range;
          rows[i] = std::ldexp(random() % 2 == 0 ? number : -number, exponent);
          if (i >= width && random() % 4 == 0) rows[i] = -rows[i - width];
        }
        expect_sums_of_accumulators(rows, width);
      }
    }
  }
}

TYPED_TEST(ColumnSums, RoundTiesToEven) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  const T whole = std::ldexp(T{1}, limits::digits);
  const T least = limits::denorm_min();
  expect_sums_of_accumulators<T>({whole, whole, whole,  -whole, 2 * whole,  //
                                  1,     2,     1,      -1,     -1,         //
                                  0,     1,     least,  -least, 0,          //
                                  0,     0,     -least, 0,      0},
                                 5);
  expect_sums_of_accumulators<T>({whole, 1, std::ldexp(T{1}, -90), -std::ldexp(T{1}, -100)}, 1);
  expect_sums_of_accumulators<T>({whole, 1, -std::ldexp(T{1}, -90), std::ldexp(T{1}, -100)}, 1);
}

TYPED_TEST(ColumnSums, OfExtremes) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  const T infinity = limits::infinity();
  const T most = limits::max();
  const T nan = limits::quiet_NaN();
  const T least = limits::denorm_min();
  expect_sums_of_accumulators<T>({infinity, -infinity, -nan, -T{0}, T{0}, most, most, -least}, 8);
  expect_sums_of_accumulators<T>(
      {infinity, infinity,  1,   -T{0}, -T{0}, most,  most,  -least,         //
       1,        -infinity, nan, -T{0}, T{0},  most,  -most, limits::min(),  //
       1,        1,         1,   -T{0}, -T{0}, -most, most,  least},
      8);
  expect_sums_of_accumulators<T>({}, 0);
}

TEST(ColumnSum, OfComplexNumbers) {
  using number = std::complex<double>;
  const std::vector<number> rows{{1, 2},         {1e300, -0.0}, {1e-300, 5},
                                 {-1e300, -0.0}, {3, 1},        {7, -0.0}};
  std::vector<number> sums(2);
  acre::base::add_columns(std::span(rows), std::span(sums));
  EXPECT_EQ(sums[0], number(4, 8));
  EXPECT_EQ(sums[1], number(7, 0));
  EXPECT_TRUE(std::signbit(sums[1].imag()));
}

}  // namespace
