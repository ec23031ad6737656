// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/base/expansion_sum_test.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/vector_sums.hpp>
#include <acre/layout/row_cut.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

double number(std::size_t i) {
  return std::ldexp(std::sin(static_cast<double>(i)), static_cast<int>(i % 90));
}

template <class V>
void set(V& vector, std::size_t first, double factor) {
  for (std::size_t i = 0; i < vector.local().size(); ++i) {
    vector.local()[i] = number(first + i) * factor;
  }
}

TEST(VectorSums, HaveTheSameBitsForAllCuts) {
  constexpr std::size_t size = 3000;
  std::vector<double> squares;
  std::vector<double> products;
  for (std::size_t i = 0; i < size; ++i) {
    squares.push_back(number(i) * number(i));
    products.push_back(number(i) * (number(i) * -3));
  }
  const acre::rank_t members = acre::size();
  std::vector<std::size_t> bounds{0};
  for (acre::rank_t i = 1; i < members; ++i) bounds.push_back(size - size / (i + 1));
  bounds.push_back(size);
  for (const auto& cut : {acre::row_cut::equal(size, members), acre::row_cut(bounds)}) {
    acre::dense_vector<double> x(acre::world(), cut);
    acre::dense_vector<double> y(acre::world(), cut);
    set(x, x.local_offset(), 1);
    set(y, y.local_offset(), -3);
    EXPECT_EQ(acre::dot(x, y), acre::exact_sums::expansion_sum(products));
    EXPECT_EQ(acre::norm(x), std::sqrt(acre::exact_sums::expansion_sum(squares)));
    set(x, x.local_offset(), 0x1p900);
    EXPECT_EQ(acre::norm(x), std::ldexp(std::sqrt(acre::exact_sums::expansion_sum(squares)), 900));
  }
}

TEST(VectorSums, TakeArraysAndRefuseOtherCuts) {
  acre::array<float> a(acre::world(), 100, 2.0F);
  const acre::dense_vector<float> b(acre::world(), acre::row_cut::equal(100, acre::size()), 0.5F);
  EXPECT_EQ(acre::dot(a, b), 100.0F);
  EXPECT_EQ(acre::norm(a), 20.0F);
  const acre::dense_vector<float> c(acre::world(), acre::row_cut::equal(99, acre::size()), 0.5F);
  EXPECT_THROW(static_cast<void>(acre::dot(a, c)), acre::error);
}

}  // namespace
