// SPDX-License-Identifier: BSD-3-Clause
// Compares sparse matrices of complex numbers with plain loops. Numbers are small Gaussian
// integers, so that sums are exact in any order.
#include <acre/base/expansion_sum_test.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/spmm.hpp>
#include <acre/csr/spmspv.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/csr/tiled/tiled_matrix_test.hpp>
#include <acre/csr/tiled/tiled_spgemm.hpp>
#include <acre/csr/tiled/tiled_spmv.hpp>
#include <acre/csr/tiled/tiled_transpose.hpp>
#include <acre/csr/transpose.hpp>
#include <acre/csr/vector_sums.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

using namespace acre::sparse_test;

template <class T>
class ComplexMatrices : public ::testing::Test {
 protected:
  static constexpr std::size_t rows = 23;
  static constexpr std::size_t columns = 31;

  static T number(std::size_t i, std::size_t j, long x) {
    using part = typename T::value_type;
    return T(static_cast<part>(x - 5), static_cast<part>((3 * i + 7 * j) % 11) - part{5});
  }
  static table_of<T> numbers(std::size_t high, std::size_t wide, unsigned seed) {
    return mapped(random_table(high, wide, 0.2, seed),
                  [](const auto& at, long x) { return number(at.first, at.second, x); });
  }
  static T element(std::size_t i) { return number(i, i + 2, static_cast<long>(i % 7)); }

  static table_of<T> adjoint(const table_of<T>& all) {
    table_of<T> turned;
    for (const auto& [at, value] : all) turned[{at.second, at.first}] = std::conj(value);
    return turned;
  }
  static table_of<T> product(const table_of<T>& a, const table_of<T>& b) {
    table_of<T> all;
    for (const auto& [one, left] : a) {
      for (auto other = b.lower_bound({one.second, 0});
           other != b.end() && other->first.first == one.second; ++other) {
        all[{one.first, other->first.second}] += left * other->second;
      }
    }
    return all;
  }
  static std::vector<T> product(const table_of<T>& a) {
    std::vector<T> sums(rows);
    for (const auto& [at, value] : a) sums[at.first] += value * element(at.second);
    return sums;
  }

  template <class V>
  static void expect_elements(const V& vector, const std::vector<T>& all) {
    const std::size_t first = cut_of(vector).first_of(acre::rank());
    for (std::size_t i = 0; i < vector.local().size(); ++i) {
      EXPECT_EQ(vector.local()[i], all[first + i]) << first + i;
    }
  }
};
using complex_numbers = ::testing::Types<std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ComplexMatrices, complex_numbers);

TYPED_TEST(ComplexMatrices, AreBuiltAndTransposed) {
  const auto all = this->numbers(this->rows, this->columns, 1);
  const auto a = spread(all, this->rows, this->columns);
  expect_matrix(a, all);
  expect_matrix(acre::conjugate_transpose(a), this->adjoint(all));
  const auto cut = uneven(this->columns, acre::size());
  expect_matrix(acre::conjugate_transpose(a, cut), this->adjoint(all));
  expect_matrix(acre::transpose(acre::conjugate_transpose(a)),
                mapped(all, [](const auto&, const TypeParam& x) { return std::conj(x); }));
  const auto square = spread(this->numbers(20, 20, 2), uneven(20, acre::size()), 20);
  EXPECT_EQ(acre::conjugate_transpose(square).cut(), square.cut());
}

TYPED_TEST(ComplexMatrices, AreMultiplied) {
  using S = acre::semirings::plus_times<TypeParam>;
  const auto left = this->numbers(this->rows, this->columns, 3);
  const auto right = this->numbers(this->columns, this->rows, 4);
  const auto a = spread(left, this->rows, this->columns);
  const auto b = spread(right, this->columns, this->rows);
  expect_matrix(acre::spgemm<S>(a, b), this->product(left, right));
  expect_matrix(acre::spgemm<S>(a, acre::conjugate_transpose(a)),
                this->product(left, this->adjoint(left)));

  acre::dense_vector<TypeParam> x(acre::world(), b.cut());
  acre::dense_rows<TypeParam> wide_x(acre::world(), b.cut(), 2);
  for (std::size_t i = 0; i < x.local().size(); ++i) {
    x.local()[i] = this->element(x.local_offset() + i);
    wide_x.local_row(i)[0] = x.local()[i];
    wide_x.local_row(i)[1] = TypeParam(0, 1) * x.local()[i];
  }
  acre::dense_vector<TypeParam> y(acre::world(), a.cut());
  acre::dense_rows<TypeParam> wide_y(acre::world(), a.cut(), 2);
  acre::spmv<S>(a, x, y);
  acre::spmm<S>(a, wide_x, wide_y);
  const auto expected = this->product(left);
  this->expect_elements(y, expected);
  for (std::size_t i = 0; i < y.local().size(); ++i) {
    EXPECT_EQ(wide_y.local_row(i)[0], y.local()[i]);
    EXPECT_EQ(wide_y.local_row(i)[1], (TypeParam(0, 1) * y.local()[i]));
  }

  acre::sparse_vector<TypeParam> few{b.cut(), {}};
  for (std::size_t i = 0; i < x.local().size(); ++i) {
    few.local.push_back({static_cast<acre::column_t>(x.local_offset() + i), x.local()[i]});
  }
  for (const auto& [row, sum] : acre::spmspv<S>(few, acre::transpose(a), a.cut()).local) {
    EXPECT_EQ(sum, expected[row]);
  }
}

TYPED_TEST(ComplexMatrices, AreReducedAndCombined) {
  using plus = acre::monoids::plus<TypeParam>;
  const auto one = this->numbers(this->rows, this->columns, 5);
  const auto other = this->numbers(this->rows, this->columns, 6);
  std::vector<TypeParam> of_rows(this->rows);
  TypeParam sum{};
  auto both = one;
  table_of<TypeParam> products;
  for (const auto& [at, value] : one) {
    of_rows[at.first] += value;
    sum += value;
  }
  for (const auto& [at, value] : other) {
    both[at] += value;
    if (one.contains(at)) products[at] = one.at(at) * value;
  }
  const auto a = spread(one, this->rows, this->columns);
  const auto b = spread(other, this->rows, this->columns);
  acre::dense_vector<TypeParam> sums(acre::world(), a.cut());
  acre::reduce_rows<plus>(a, sums);
  this->expect_elements(sums, of_rows);
  EXPECT_EQ(acre::reduce<plus>(a), sum);
  expect_matrix(acre::ewise_add(a, b, std::plus()), both);
  expect_matrix(acre::ewise_multiply(a, b, std::multiplies()), products);
  const auto squares = acre::apply(a, [](const TypeParam& x) { return std::norm(x); });
  EXPECT_EQ(squares.entries(), a.entries());
}

TYPED_TEST(ComplexMatrices, AreMultipliedAndTransposedInTiles) {
  using S = acre::semirings::plus_times<TypeParam>;
  const auto all = this->numbers(this->rows, this->columns, 7);
  const auto a = spread(all, this->rows, this->columns);
  const auto expected = this->product(all);
  const auto square = this->product(all, this->adjoint(all));
  const auto grids = all_grids();
  const acre::member_grid grid = grids[grids.size() / 2];
  const auto t = acre::tiled(a, uneven_tiles(this->rows, this->columns, grid));
  const auto turned = acre::conjugate_transpose(t, uneven_tiles(this->columns, this->rows, grid));
  EXPECT_EQ(table_from(turned), this->adjoint(all));
  EXPECT_EQ(table_from(acre::conjugate_transpose(t)), this->adjoint(all));
  EXPECT_EQ(table_from(acre::spgemm<S>(t, turned)), square);
  acre::array<TypeParam> x(acre::world(), this->columns);
  const std::size_t first = cut_of(x).first_of(acre::rank());
  for (std::size_t i = 0; i < x.local().size(); ++i) x.local()[i] = this->element(first + i);
  acre::array<TypeParam> y(acre::world(), this->rows);
  acre::spmv<S>(t, x, y);
  this->expect_elements(y, expected);
}

TYPED_TEST(ComplexMatrices, HaveVectorsWithReproducibleProductsAndNorms) {
  using part = typename TypeParam::value_type;
  constexpr std::size_t size = 2000;
  const auto scaled = [](std::size_t i, part turn) {
    return std::ldexp(std::sin(static_cast<part>(i) + turn), static_cast<int>(i % 20));
  };
  const auto number = [&](std::size_t i, part turn) {
    return TypeParam(scaled(i, turn), scaled(i, turn + 1));
  };
  std::vector<double> real;
  std::vector<double> imaginary;
  std::vector<double> squares;
  for (std::size_t i = 0; i < size; ++i) {
    const std::complex<double> a(number(i, 0));
    const std::complex<double> b(number(i, 2));
    real.insert(real.end(), {a.real() * b.real(), a.imag() * b.imag()});
    imaginary.insert(imaginary.end(), {a.real() * b.imag(), -(a.imag() * b.real())});
    squares.insert(squares.end(), {a.real() * a.real(), a.imag() * a.imag()});
  }
  const auto sum_of = [](const std::vector<double>& parts) {
    return static_cast<part>(acre::exact_sums::expansion_sum(parts));
  };
  for (const auto& cut : {acre::row_cut::equal(size, acre::size()), uneven(size, acre::size())}) {
    acre::dense_vector<TypeParam> x(acre::world(), cut);
    acre::dense_vector<TypeParam> y(acre::world(), cut);
    for (std::size_t i = 0; i < x.local().size(); ++i) {
      x.local()[i] = number(x.local_offset() + i, 0);
      y.local()[i] = number(x.local_offset() + i, 2);
    }
    EXPECT_EQ(acre::dot(x, y), TypeParam(sum_of(real), sum_of(imaginary)));
    EXPECT_EQ(acre::dot(x, x), TypeParam(sum_of(squares)));
    EXPECT_EQ(acre::norm(x),
              static_cast<part>(std::sqrt(acre::exact_sums::expansion_sum(squares))));
  }
}

}  // namespace
