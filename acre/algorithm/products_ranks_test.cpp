// SPDX-License-Identifier: BSD-3-Clause
// Compares products by every algorithm and several patterns with long double sums, and checks the
// bytes moved.
#include <acre/algorithm/multiply.hpp>
#include <acre/algorithm/two_by_two_test.hpp>
#include <acre/base/error.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace acre;
using extents = layout::coordinates<2>;

constexpr product_algorithm all_algorithms[] = {
    product_algorithm::keeps_c, product_algorithm::keeps_a, product_algorithm::keeps_b,
    product_algorithm::grid};

template <class T>
T number(unsigned matrix, std::size_t i, std::size_t j) {
  const std::uint64_t x = split_mix(split_mix(split_mix(matrix) + i) + j);
  const auto part = [](std::uint64_t bits) { return double(std::int32_t(bits)) / 0x1p31; };
  if constexpr (acre::base::is_complex<T>) {
    return T(static_cast<typename T::value_type>(part(x >> 32)),
             static_cast<typename T::value_type>(part(x)));
  } else {
    return static_cast<T>(part(x >> 32));
  }
}

enum class seen { plain, turned, conjugate };

template <class T>
T seen_number(unsigned matrix, seen how, std::size_t i, std::size_t j) {
  if (how == seen::plain) return number<T>(matrix, i, j);
  const T found = number<T>(matrix, j, i);
  if constexpr (acre::base::is_complex<T>) {
    if (how == seen::conjugate) return std::conj(found);
  }
  return found;
}

template <class T, class C>
void expect_sums(const C& c, std::size_t inner, T alpha, seen a, seen b, T beta,
                 const std::string& what) {
  using wide =
      std::conditional_t<acre::base::is_complex<T>, std::complex<long double>, long double>;
  double worst = 0;
  c.each_local_block([&](const layout::box<2>& where, const auto& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      for (std::size_t j = 0; j < own.extent(1); ++j) {
        const std::size_t row = where.first[0] + i;
        const std::size_t column = where.first[1] + j;
        wide sum{};
        for (std::size_t k = 0; k < inner; ++k) {
          sum += wide(seen_number<T>(1, a, row, k)) * wide(seen_number<T>(2, b, k, column));
        }
        sum = wide(alpha) * sum;
        if (beta != T(0)) sum += wide(beta) * wide(number<T>(3, row, column));
        const auto difference = static_cast<double>(std::abs(wide(own(i, j)) - sum));
        if (!(difference <= worst)) worst = difference;
      }
    }
  });
  const double unit =
      static_cast<double>(std::abs(T(std::numeric_limits<decltype(std::abs(T(0)))>::epsilon())));
  EXPECT_LE(worst, 4 * unit * static_cast<double>(inner + 4)) << what;
}

/// `all`: also transposed and adjoint factors.
enum class seen_as { all, plain };

template <class T, seen_as How, class A, class B, class C>
product_report multiply_seen(T alpha, seen how_a, const A& a, seen how_b, const B& b, T beta, C& c,
                             const product_options& options) {
  if constexpr (How == seen_as::plain) {
    return multiply(alpha, a, b, beta, c, plain_product(), options);
  } else {
    const auto with_b = [&](const auto& first) {
      if (how_b == seen::plain) return multiply(alpha, first, b, beta, c, plain_product(), options);
      if (how_b == seen::turned) {
        return multiply(alpha, first, transposed(b), beta, c, plain_product(), options);
      }
      return multiply(alpha, first, adjoint(b), beta, c, plain_product(), options);
    };
    return how_a == seen::plain ? with_b(a) : with_b(transposed(a));
  }
}

template <class T, seen_as How = seen_as::plain, class PatternOfA, class PatternOfB,
          class PatternOfC>
void expect_products(std::mt19937& random, PatternOfA&& pattern_of_a, PatternOfB&& pattern_of_b,
                     PatternOfC&& pattern_of_c, const team& members = world()) {
  for (const product_algorithm algorithm : all_algorithms) {
    const auto below = [&](std::size_t end) { return random() % end; };
    const std::size_t m = below(33);
    const std::size_t k = below(33);
    const std::size_t n = below(33);
    const seen how_a = How == seen_as::plain || below(2) == 0 ? seen::plain : seen::turned;
    const seen how_b = How == seen_as::plain ? seen::plain : static_cast<seen>(below(3));
    const T alpha = below(2) == 0 ? T(1) : number<T>(4, m, n);
    const T beta = below(3) == 0 ? T(0) : number<T>(5, m, n);
    const extents of_a{m, k};
    const extents of_b{k, n};
    const auto f = [](unsigned matrix) {
      return [matrix](std::size_t i, std::size_t j) { return number<T>(matrix, i, j); };
    };
    using matrix_of_a = matrix<T, 2, std::decay_t<decltype(pattern_of_a(of_a))>>;
    using matrix_of_b = matrix<T, 2, std::decay_t<decltype(pattern_of_b(of_b))>>;
    using matrix_of_c = matrix<T, 2, std::decay_t<decltype(pattern_of_c(of_a))>>;
    const matrix_of_a a(
        members, pattern_of_a(how_a == seen::plain ? of_a : acre::arrays::exchanged(of_a)), f(1));
    const matrix_of_b b(
        world(), pattern_of_b(how_b == seen::plain ? of_b : acre::arrays::exchanged(of_b)), f(2));
    matrix_of_c c(world(), pattern_of_c(extents{m, n}), f(3));
    const product_report told =
        multiply_seen<T, How>(alpha, how_a, a, how_b, b, beta, c, {.algorithm = algorithm});
    expect_sums<T>(c, k, alpha, how_a, how_b, beta,
                   std::string(name_of(told.algorithm)) + ": " + std::to_string(m) + " x " +
                       std::to_string(k) + " x " + std::to_string(n));
  }
}

auto boxes(const extents& n) {
  return make_distribution(n, size(), dist::balanced, dist::balanced);
}
auto tiles(const extents& n) { return make_distribution(n, size(), dist::tile(5), dist::tile(3)); }
auto rows(const extents& n) { return make_distribution(n, size(), dist::cyclic, dist::none); }
auto columns(const extents& n) { return make_pattern<layout::column_major_layout>(n, size()); }
auto shifted(const extents& n) { return make_pattern<use_case::transpose>(n, size()); }
auto single_tiles(const extents& n) { return make_pattern<use_case::dgemm>(n, size()); }

std::uint32_t new_seed() {
  return world().broadcast(static_cast<std::uint32_t>(std::random_device()()), 0);
}

TEST(Products, AreThoseOfLongDoublesWhateverLiesWhere) {
  const std::uint32_t seed = new_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  expect_products<double>(random, boxes, boxes, boxes);
  expect_products<double, seen_as::all>(random, tiles, columns, shifted);
  expect_products<double>(random, shifted, rows, single_tiles);
  expect_products<double>(random, columns, shifted, tiles);
  expect_products<double>(random, single_tiles, tiles, columns);
}

TEST(Products, TakeFloatsAndComplexNumbers) {
  const std::uint32_t seed = new_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  expect_products<float>(random, tiles, boxes, boxes);
  expect_products<std::complex<float>>(random, boxes, tiles, boxes);
  expect_products<std::complex<double>, seen_as::all>(random, boxes, columns, tiles);
}

TEST(Products, ReadMatricesOfTeamsInAnotherOrder) {
  const std::uint32_t seed = new_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const team backwards = world().split(0, static_cast<int>(size() - rank()));
  expect_products<double>(random, tiles, boxes, boxes, backwards);
}

TEST(Products, AreMadeByTheMembersOfAnyTeam) {
  const team part = world().split(static_cast<int>(rank() % 2), static_cast<int>(size() - rank()));
  const auto f = [](unsigned matrix) {
    return [matrix](std::size_t i, std::size_t j) { return number<double>(matrix, i, j); };
  };
  const matrix<double, 2> a(world(), {30, 20}, f(1));
  const matrix<double, 2> b(part, {20, 25}, f(2));
  for (const product_algorithm algorithm : all_algorithms) {
    matrix<double, 2> c(part, {30, 25});
    const product_report told =
        multiply(1.0, a, b, 0.0, c, plain_product(), {.algorithm = algorithm});
    expect_sums<double>(c, 20, 1, seen::plain, seen::plain, 0, name_of(told.algorithm));
    // Some owners of a are not members.
    EXPECT_TRUE(size() == 1 || told.algorithm != product_algorithm::keeps_a);
  }
  barrier();  // others may still read a
}

TEST(Products, TakeBoxesOfOneMatrixThatHaveNoElementInCommon) {
  matrix<double, 2> m(world(), {30, 30}, [](std::size_t i, std::size_t j) {
    return static_cast<double>(i) - static_cast<double>(j);
  });
  const auto a = sub(m, {.first = {0, 0}, .extents = {10, 20}});
  const auto b = sub(m, {.first = {10, 10}, .extents = {20, 10}});
  EXPECT_THROW(multiply(a, b, sub(m, {.first = {5, 0}, .extents = {10, 10}})), error);
  multiply(a, b, sub(m, {.first = {0, 20}, .extents = {10, 10}}));
  double sum = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    sum += (3 - static_cast<double>(k)) * (10 + static_cast<double>(k) - 14);
  }
  EXPECT_EQ(m(3, 24), sum);
  barrier();
}

TEST(Products, HaveTheSameBitsEachTime) {
  const auto f = [](std::size_t i, std::size_t j) { return number<double>(1, i, j); };
  const matrix<double, 2> a(world(), {20, 200}, f);
  const matrix<double, 2> b(world(), {200, 20}, f);
  matrix<double, 2> c(world(), {20, 20});
  matrix<double, 2> d(world(), {20, 20});
  for (const product_algorithm algorithm : all_algorithms) {
    multiply(1.0, a, b, 0.0, c, plain_product(), {.algorithm = algorithm});
    multiply(1.0, a, b, 0.0, d, plain_product(), {.algorithm = algorithm});
    std::vector<double> first;
    std::vector<double> second;
    c.local().each_run([&](auto run) { first.insert(first.end(), run.begin(), run.end()); });
    d.local().each_run([&](auto run) { second.insert(second.end(), run.begin(), run.end()); });
    EXPECT_EQ(first, second) << name_of(algorithm);
  }
}

struct moved {
  double bytes;
  product_report told;
};
moved move(const extents& of_a, std::size_t n, const product_options& options = {}) {
  const matrix<double, 2> a(world(), of_a, 1.0);
  const matrix<double, 2> b(world(), {of_a[1], n}, 1.0);
  matrix<double, 2> c(world(), {of_a[0], n});
  const auto nothing = [](const auto&, const auto&, const auto&) {};
  const auto count = [] {
    using enum runtime::counted;
    std::uint64_t sum = 0;
    for (const runtime::counted what : {network_get_bytes, network_put_bytes, message_bytes}) {
      sum += runtime::counter_table[static_cast<std::size_t>(what)];
    }
    return sum;
  };
  const std::uint64_t before = count();
  const product_report told = multiply(1.0, a, b, 0.0, c, nothing, options);
  const auto bytes = static_cast<double>(count() - before);
  return {world().allreduce(bytes, op::sum), told};
}

double few_bytes() { return 3e4 * size(); }

TEST(Products, MoveNoMoreThanTheirWayMust) {
  if (!ACRE_COUNTERS || runtime::node_count() != size() || size() == 1) return;
  const std::size_t n = 400;
  for (const product_algorithm algorithm : all_algorithms) {
    const moved all = move({n, n}, n, {.algorithm = algorithm});
    const auto expected = static_cast<double>(all.told.far_bytes);
    EXPECT_LE(all.bytes, 1.2 * expected + few_bytes()) << name_of(algorithm);
    EXPECT_GE(all.bytes, expected) << name_of(algorithm);
    if (size() != 4 || algorithm != product_algorithm::keeps_c) continue;
    EXPECT_EQ(expected, 4 * 2 * 8.0 * (n / 2) * (n / 2));
  }
}

TEST(Products, OfManyInnerIndicesSplitThese) {
  if (size() < 2) return;
  const std::size_t n = 48;
  const moved all = move({n, 6000}, n);
  EXPECT_NE(all.told.algorithm, product_algorithm::keeps_c);
  if (!ACRE_COUNTERS || runtime::node_count() != size()) return;
  const double sums = 8.0 * n * n * (size() - 1);
  EXPECT_LE(all.bytes, 1.2 * sums + few_bytes());
}

TEST(Products, LeaveOutWaysThatNeedMoreMemoryThanTheyMay) {
  if (size() < 2) return;
  const moved all = move({48, 6000}, 48, {.memory = 100});
  EXPECT_EQ(all.told.algorithm, product_algorithm::keeps_c);
  EXPECT_EQ(all.told.memory, 0U);
}

TEST(Products, TakeElementsThatDoNotCommute) {
  using products_test::element_of;
  using products_test::two_by_two;
  const auto f = [](int matrix) {
    return [matrix](std::size_t i, std::size_t j) { return element_of(matrix, i, j); };
  };
  const two_by_two alpha(1, 2, 0, 3);
  const two_by_two beta(0, 1, -2, 1);
  const matrix<two_by_two, 2> a(world(), {13, 11}, f(1));
  const matrix<two_by_two, 2> b(world(), {11, 12}, f(2));
  for (const product_algorithm algorithm : all_algorithms) {
    matrix<two_by_two, 2, decltype(columns({1, 1}))> c(world(), columns({13, 12}), f(3));
    multiply(alpha, a, b, beta, c, plain_product(), {.algorithm = algorithm});
    c.each_local_block([&](const layout::box<2>& where, const auto& own) {
      for (std::size_t i = 0; i < own.extent(0); ++i) {
        for (std::size_t j = 0; j < own.extent(1); ++j) {
          EXPECT_EQ(own(i, j), products_test::expected_of(alpha, beta, 11, where.first[0] + i,
                                                          where.first[1] + j))
              << name_of(algorithm);
        }
      }
    });
    barrier();
  }
}

TEST(Products, OfManyBlocksTakeNothingFromNodesThatHoldNone) {
  const auto single = [](const team& members) {
    return make_distribution({66, 66}, members.size(), dist::tile(1), dist::tile(1));
  };
  const auto far_bytes = [&](const team& members) {
    matrix<double, 2, decltype(single(members))> a(members, single(members), 1.0);
    matrix<double, 2, decltype(single(members))> c(members, single(members));
    return multiply(1.0, a, a, 0.0, c, plain_product(), {.algorithm = product_algorithm::keeps_c})
        .far_bytes;
  };
  EXPECT_EQ(far_bytes(world().split(static_cast<int>(rank()))), 0U);
  const std::size_t of_all = far_bytes(world());
  EXPECT_EQ(of_all == 0, runtime::node_count() == 1);
  EXPECT_LE(of_all, size() * 2 * 66 * 66 * sizeof(double));
}

}  // namespace
