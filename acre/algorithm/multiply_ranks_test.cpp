// SPDX-License-Identifier: BSD-3-Clause
// Operands and errors of products; products_ranks_test.cpp compares the algorithms.
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/multiply.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>

namespace {

using namespace acre;
using extents = layout::coordinates<2>;

double of_a(std::size_t i, std::size_t k) { return static_cast<double>((i * 7 + k * 3) % 11) - 4; }
double of_b(std::size_t k, std::size_t j) { return static_cast<double>((k * 5 + j * 2) % 13) - 6; }

template <class Matrix, class F>
void fill_with(Matrix& m, F&& f) {
  const std::size_t columns = m.extent(1);
  for_each_with_index(m, [&](std::size_t n, double& x) { x = f(n / columns, n % columns); });
}

template <class Matrix>
bool is_product(const Matrix& c, std::size_t inner, double times) {
  bool is_right = true;
  c.each_local_block([&](const layout::box<2>& where, const auto& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      for (std::size_t j = 0; j < own.extent(1); ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < inner; ++k) {
          sum += of_a(where.first[0] + i, k) * of_b(k, where.first[1] + j);
        }
        is_right = is_right && own(i, j) == times * sum;
      }
    }
  });
  return is_right;
}

template <class A, class B, class C>
void expect_product(const A& of_left, const B& of_right, const C& of_product) {
  auto a = make_matrix<double>(world(), of_left);
  auto b = make_matrix<double>(world(), of_right);
  auto c = make_matrix<double>(world(), of_product, 17.0);
  fill_with(a, of_a);
  fill_with(b, of_b);
  multiply(a, b, c);
  EXPECT_TRUE(is_product(c, a.extent(1), 1));
  multiply_add(a, b, c);
  EXPECT_TRUE(is_product(c, a.extent(1), 2));
  barrier();
}

layout::boxes<2> boxes(const extents& n) {
  return make_distribution(n, size(), dist::balanced, dist::balanced);
}

TEST(MultiplySmoke, TakesMatricesOfAnyExtents) {
  const extents all[][2] = {{{0, 3}, {3, 4}}, {{3, 0}, {0, 2}},     {{1, 1}, {1, 1}},
                            {{5, 3}, {3, 1}}, {{47, 31}, {31, 71}}, {{33, 300}, {300, 40}}};
  for (const auto& [a, b] : all) expect_product(boxes(a), boxes(b), boxes({a[0], b[1]}));
}

TEST(Multiply, TakesRowsColumnsAndTiles) {
  const rank_t all = size();
  expect_product(make_distribution({23, 19}, all, dist::tile(4), dist::none),
                 make_pattern<use_case::dgemm>({19, 29}, all),
                 make_pattern<layout::column_major_layout>({23, 29}, all));
}

TEST(Multiply, TakesCyclicElementsAndMultipliesEachOnce) {
  const auto cyclic = [](const extents& n) {
    return make_distribution(n, size(), dist::tile(1), dist::tile(1));
  };
  expect_product(cyclic({9, 7}), cyclic({7, 8}), cyclic({9, 8}));
}

TEST(Multiply, LetsAnErrorOfALocalProductOutAfterAll) {
  const matrix<double, 2> a(world(), {8, 8}, 1);
  matrix<double, 2> c(world(), {8, 8});
  const auto fails = [](const auto&, const auto&, const auto&) {
    throw std::runtime_error("no product");
  };
  if (c.local().empty()) {
    EXPECT_THROW(multiply(a, a, c, fails), error);
  } else {
    EXPECT_THROW(multiply(a, a, c, fails), std::runtime_error);
  }
}

TEST(Multiply, TakesFactorsForProductsThatKnowNone) {
  const matrix<double, 2> a(world(), {8, 8}, 2);
  matrix<double, 2> c(world(), {8, 8}, 5);
  const auto adds = [](const auto& left, const auto& right, const auto& sums) {
    plain_product()(left, right, sums);
  };
  multiply(3.0, a, a, 0.5, c, adds);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(c(i, 7 - i), 3 * 8 * 4 + 2.5);
  barrier();
}

TEST(Multiply, LooksAtNoFactorWhereAlphaIsZero) {
  const matrix<double, 2> none(world(), {8, 8}, std::numeric_limits<double>::quiet_NaN());
  matrix<double, 2> c(world(), {8, 8}, 5);
  for (const product_algorithm algorithm :
       {product_algorithm::keeps_c, product_algorithm::keeps_a, product_algorithm::grid}) {
    multiply(0.0, none, none, 1.0, c, plain_product(), {.algorithm = algorithm});
  }
  multiply(0.0, none, none, 0.5, c);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(c(i, 7 - i), 2.5);
  barrier();
}

TEST(Multiply, RefusesExtentsThatDoNotFit) {
  const matrix<double, 2> a(world(), {3, 4});
  const matrix<double, 2> b(world(), {4, 5});
  matrix<double, 2> c(world(), {3, 5});
  matrix<double, 2> other(world(), {5, 3});
  EXPECT_THROW(multiply(b, a, c), error);
  EXPECT_THROW(multiply_add(a, b, other), error);
  barrier();
}

TEST(Multiply, RefusesAProductInTheMemoryOfWhatItIsMadeOf) {
  const extents n{6, 6};
  matrix<double, 2> a(world(), n, 2);
  matrix<double, 2> b(world(), n, 3);
  auto same = matrix<double, 2>::adopt(world(), a.pattern(),
                                       std::span(a.local().data(), a.pattern().local_size(rank())));
  EXPECT_THROW(multiply(a, b, a), error);
  EXPECT_THROW(multiply_add(a, b, b), error);
  EXPECT_THROW(multiply(b, a, same), error);
  barrier();
  for (std::size_t i = 0; i < n[0]; ++i) {
    EXPECT_EQ(a(i, i), 2);
    EXPECT_EQ(b(i, i), 3);
  }
  barrier();
  multiply(a, a, b);
  EXPECT_EQ(b(1, 2), 24);
  barrier();
}

}  // namespace
