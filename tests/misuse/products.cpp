// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices whose elements are of two types, and sparse matrices that are made or read
// in other ways than they can be: in at most 20 lines.
#include <acre/algorithm/multiply.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/csr/csr_matrix.hpp>

namespace {

void products(const acre::matrix<double, 2>& a, acre::matrix<double, 2>& c,
              acre::matrix<float, 2>& floats) {
  // says: a, b and c are matrices, or boxes of them, of two dimensions, whose elements are of one
  acre::multiply(a, a, floats);
  // says: a, b and c are matrices, or boxes of them, of two dimensions, whose elements are of one
  acre::multiply_add(a, a, a);
  // says: the local product is a function of three boxes of plain memory
  acre::multiply(2.0, a, a, 0.0, c, [](double x, double y) { return x * y; });
}

void sparse_matrices(const acre::team& all, const acre::csr_matrix<double>& a) {
  // names: csr_builder<T>(team, rows, columns) makes a csr_matrix<T>
  // says: rows_of_a_builder
  const acre::csr_matrix<double> empty(all, 10, 10);
  // names: loop over rows: a.local_columns(i), a.local_values(i)
  // says: begin() const | attempt to use a deleted function
  for (const double& each : a) static_cast<void>(each);
  // names: is_float_double_or_their_complex
  // says: constraint
  static_cast<void>(sizeof(acre::block_matrix<int>));
}

}  // namespace
