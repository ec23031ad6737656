// SPDX-License-Identifier: BSD-3-Clause
// Reproducible reductions, scalar products and norms of arrays.
#include <acre/algorithm/dot.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/array/array.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/error.hpp>
#include <acre/base/expansion_sum_test.hpp>
#include <acre/layout/distribution.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

using acre::exact_sums::expansion_sum;
using acre::op::reproducible_sum;

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

std::vector<double> numbers(std::size_t size, int range, bool cancel, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double fraction = std::ldexp(static_cast<double>(random() >> 11) + 1, -52) - 1;
    const auto exponent = static_cast<int>(random() % static_cast<unsigned>(2 * range + 1)) - range;
    values[i] = cancel && i % 2 == 1 ? -values[i - 1] : std::ldexp(fraction, exponent);
  }
  if (cancel && size > 2) values[size / 2] *= 1.5;
  return values;
}

template <class F>
void with_all_layouts(const acre::team& members, std::size_t size, F&& f) {
  const auto with = [&](auto range) { f(range); };
  const auto matrix_of = [&](const auto& pattern) {
    with(acre::make_matrix<double>(members, pattern));
  };
  using namespace acre::dist;
  with(acre::array<double>(members, size));
  with(acre::hosted_array<double>(members, acre::hosted_by{members.size() - 1}, size));
  matrix_of(acre::make_distribution({size}, members.size(), cyclic));
  matrix_of(acre::make_distribution({size}, members.size(), tile(7)));
  matrix_of(acre::make_distribution({size / 8, 8}, members.size(), balanced, balanced));
  matrix_of(acre::make_distribution({size / 8, 8}, members.size(), tile(3), tile(2)));
}

template <class F>
void with_teams(F&& f) {
  for (const acre::rank_t size : {1U, 2U, 3U, 5U, 16U}) {
    if (size > acre::size()) break;
    f(acre::world().split(static_cast<int>(acre::rank() / size)));
  }
  f(acre::world());
}

void expect_sum(const auto& range, double expected) {
  EXPECT_EQ(bits_of(acre::reduce_on_all(range, 0, reproducible_sum)), bits_of(expected));
}

TEST(ReproducibleSmoke, SumsHaveTheSameBitsInAllLayoutsAndOrders) {
  for (const auto& [range, cancel] : {std::pair(0, false), {4, true}, {400, false}, {900, true}}) {
    std::vector<double> values = numbers(1200, range, cancel, 7);
    const double expected = expansion_sum(values);
    std::mt19937_64 random(8);
    with_teams([&](const acre::team& members) {
      with_all_layouts(members, values.size(), [&](auto& a) {
        acre::generate_with_index(a, [&](std::size_t i) { return values[i]; });
        expect_sum(a, expected);
        std::ranges::shuffle(values, random);
      });
    });
  }
}

TEST(Reproducible, SumsHaveTheSameBitsInAllForms) {
  const std::vector<double> values = numbers(5000, 300, true, 9);
  acre::array<double> a(acre::world(), values.size());
  acre::generate_with_index(a, [&](std::size_t i) { return values[i]; });
  const double expected = expansion_sum(values);
  for (const unsigned threads : {1U, 2U, 5U}) {
    EXPECT_EQ(acre::reduce_on_all(acre::par.on(threads), a, 0, reproducible_sum), expected);
  }
  const acre::rank_t root = acre::size() - 1;
  const auto at_root = acre::reduce_on(root, a, 0, reproducible_sum);
  EXPECT_EQ(at_root.has_value(), acre::rank() == root);
  EXPECT_EQ(at_root.value_or(expected), expected);
  EXPECT_EQ(acre::reduce_on_all(a, -expected, reproducible_sum), [&] {
    std::vector<double> all = values;
    all.push_back(-expected);
    return expansion_sum(all);
  }());
  const auto part = a | std::views::drop(3) | std::views::take(4001);
  expect_sum(part, expansion_sum({values.begin() + 3, values.begin() + 4004}));
  std::vector<double> twice;
  for (const double x : values) twice.push_back(2 * x + 1);
  const auto view = a | acre::views::transform([](double x) { return 2 * x + 1; });
  expect_sum(view, expansion_sum(twice));
  const auto f = [](double x) { return 2 * x + 1; };
  EXPECT_EQ(acre::transform_reduce_on_all(a, 0.0, reproducible_sum, f), expansion_sum(twice));
  EXPECT_EQ(acre::transform_reduce_on_all(acre::par.on(3), a, 0.0, reproducible_sum, f),
            expansion_sum(twice));
  const auto sum_at_root = acre::transform_reduce_on(root, a, 0.0, reproducible_sum, f);
  EXPECT_EQ(sum_at_root.value_or(expansion_sum(twice)), expansion_sum(twice));
}

TEST(Reproducible, SumsOfFloatsAreRoundedOnce) {
  const std::vector<double> values = numbers(3000, 20, true, 10);
  std::vector<double> floats;
  for (const double x : values) floats.push_back(static_cast<float>(x));
  const auto expected = static_cast<float>(expansion_sum(floats));
  with_teams([&](const acre::team& members) {
    acre::array<float> a(members, values.size());
    acre::generate_with_index(a, [&](std::size_t i) { return static_cast<float>(values[i]); });
    EXPECT_EQ(acre::reduce_on_all(a, 0, reproducible_sum), expected);
  });
}

TEST(Reproducible, SumsOfNumbersThatAreNotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  acre::array<double> a(acre::world(), 64 * acre::size(), 1.0);
  const bool is_last = acre::rank() == acre::size() - 1;
  a.local()[5] = infinity;
  acre::barrier();
  expect_sum(a, infinity);
  if (is_last) a.local()[60] = -infinity;
  acre::barrier();
  expect_sum(a, std::numeric_limits<double>::quiet_NaN());
  std::ranges::fill(a.local(), std::numeric_limits<double>::max());
  if (is_last) a.local()[3] = -std::numeric_limits<double>::quiet_NaN();
  acre::barrier();
  expect_sum(a, std::numeric_limits<double>::quiet_NaN());
  if (is_last) a.local()[3] = 1;
  acre::barrier();
  expect_sum(a, infinity);
  for (std::size_t i = 0; i < 32; ++i) a.local()[2 * i] *= -1;
  acre::barrier();
  expect_sum(a, -std::numeric_limits<double>::max());
  acre::barrier();
}

TEST(Reproducible, FailuresOfTheFunctionAreErrorsOnAll) {
  acre::array<double> a(acre::world(), 64 * acre::size(), 1.0);
  const auto f = [](double x) {
    if (acre::rank() == acre::size() - 1) throw std::runtime_error("no");
    return x;
  };
  const auto sum = [&] { return acre::transform_reduce_on_all(a, 0.0, reproducible_sum, f); };
  if (acre::rank() == acre::size() - 1) {
    EXPECT_THROW(static_cast<void>(sum()), std::runtime_error);
  } else {
    EXPECT_THROW(static_cast<void>(sum()), acre::error);
  }
  EXPECT_EQ(acre::reduce_on_all(a, 0, reproducible_sum), 64.0 * acre::size());
}

TEST(Reproducible, ScalarProductsAndNormsHaveTheSameBits) {
  const std::vector<double> x = numbers(2400, 100, false, 11);
  const std::vector<double> y = numbers(2400, 100, true, 12);
  std::vector<double> products;
  std::vector<double> squares;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products.push_back(x[i] * y[i]);
    squares.push_back(x[i] * x[i]);
  }
  with_teams([&](const acre::team& members) {
    const auto tiles = acre::make_distribution({x.size()}, members.size(), acre::dist::tile(7));
    auto a = acre::make_matrix<double>(members, tiles);
    auto b = acre::make_matrix<double>(members, tiles);
    acre::generate_with_index(a, [&](std::size_t i) { return x[i]; });
    acre::generate_with_index(b, [&](std::size_t i) { return y[i]; });
    EXPECT_EQ(acre::dot_on_all(a, b, reproducible_sum), expansion_sum(products));
    EXPECT_EQ(acre::norm_on_all(a, reproducible_sum), std::sqrt(expansion_sum(squares)));
  });
}

TEST(Reproducible, NormsDoNotOverflow) {
  acre::array<double> a(acre::world(), 2 * acre::size());
  const auto norm_of = [&](double x, double y) {
    a.local()[0] = acre::rank() == 0 ? x : 0;
    a.local()[1] = acre::rank() == acre::size() - 1 ? y : 0;
    acre::barrier();
    EXPECT_EQ(acre::norm_on_all(a), acre::norm_on_all(a, reproducible_sum));
    return acre::norm_on_all(a, reproducible_sum);
  };
  EXPECT_EQ(norm_of(3 * 0x1p700, 4 * 0x1p700), 5 * 0x1p700);
  EXPECT_EQ(norm_of(3 * 0x1p-700, 4 * 0x1p-700), 5 * 0x1p-700);
  constexpr double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(norm_of(3 * least, -4 * least), 5 * least);
  EXPECT_EQ(norm_of(0, 0), 0);
  EXPECT_EQ(norm_of(-std::numeric_limits<double>::infinity(), 1),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(norm_of(0, std::numeric_limits<double>::max()), std::numeric_limits<double>::max());
  acre::array<float> b(acre::world(), 2 * acre::size(), 0.0F);
  b.local()[0] = acre::rank() == 0 ? 3 * 0x1p100F : 0;
  b.local()[1] = acre::rank() == 0 ? 4 * 0x1p100F : 0;
  acre::barrier();
  EXPECT_EQ(acre::norm_on_all(b, reproducible_sum), 5 * 0x1p100F);
}

TEST(Reproducible, ScalarProductsRefuseDifferentSizes) {
  acre::array<double> a(acre::world(), 10);
  acre::array<double> b(acre::world(), 11);
  EXPECT_THROW(static_cast<void>(acre::dot_on_all(a, b)), acre::error);
}

}  // namespace
