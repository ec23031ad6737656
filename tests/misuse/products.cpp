// SPDX-License-Identifier: BSD-3-Clause
// Matrix products with two element types, and unsupported constructions and reads of sparse
// matrices. Each error has at most 20 lines.
#include <acre/algorithm/multiply.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/semiring.hpp>

#include <complex>

namespace {

void products(const acre::matrix<double, 2>& a, acre::matrix<double, 2>& c,
              acre::matrix<float, 2>& floats) {
  // expects: a, b and c must be two-dimensional matrices, or boxes of them, of one element type
  acre::multiply(a, a, floats);
  // expects: a, b and c must be two-dimensional matrices, or boxes of them, of one element type
  acre::multiply_add(a, a, a);
  // expects: the local product must be a function f(a, b, c) of three boxes of local memory
  acre::multiply(2.0, a, a, 0.0, c, [](double x, double y) { return x * y; });
}

void sparse_matrices(const acre::team& all, const acre::csr_matrix<double>& a) {
  // names: csr_builder<T>(team, rows, columns) makes a csr_matrix<T>
  // expects: rows_of_a_builder
  const acre::csr_matrix<double> empty(all, 10, 10);
  // names: loop over rows: a.local_columns(i), a.local_values(i)
  // expects: begin() const | attempt to use a deleted function
  for (const double& each : a) static_cast<void>(each);
  // names: is_float_double_or_their_complex
  // expects: constraint
  static_cast<void>(sizeof(acre::block_matrix<int>));
  // names: ordered
  // expects: constraint
  static_cast<void>(sizeof(acre::monoids::min<std::complex<double>>));
}

}  // namespace
