// SPDX-License-Identifier: BSD-3-Clause
// Transposes and conjugate transposes of sparse matrices.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/add_entries.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/team/same_operands.hpp>

#include <cstddef>

namespace acre {

namespace csr {

/// Entry (i, j) is f of entry (j, i).
template <class T, class F>
[[nodiscard]] csr_matrix<T> turned(const char* call, const csr_matrix<T>& a, const row_cut& rows,
                                   F&& f, const site& where) {
  global::require_same_operands(a.members(), call, where, a);
  check_equal(call, "the columns of the matrix", a.columns(), "the rows of the result", rows.rows(),
              where);
  csr_builder<T> result(a.members(), rows, a.rows(), where);
  const csr_rows<T> mine = a.local();
  add_entries(call, a.members(), mine, where,
              [&](std::size_t row, std::size_t column, const T& value) {
                result.add(column, row, f(value));
              });
  return result.finish(where);
}

template <class T>
[[nodiscard]] row_cut cut_of_transpose(const csr_matrix<T>& a) {
  return a.rows() == a.columns() ? a.cut() : row_cut::equal(a.columns(), a.members().size());
}

}  // namespace csr

/// Transpose. Collective. Cost: 1 allreduce + csr_builder.
/// @param rows  row cut of the result
/// @throws acre::error on all members for a mismatched `rows`, 2^32 or more rows of `a`, or short
/// memory
template <class T>
[[nodiscard]] csr_matrix<T> transpose(const csr_matrix<T>& a, const row_cut& rows,
                                      const site& where = site::current()) {
  return csr::turned("transpose", a, rows, [](const T& value) { return value; }, where);
}
/// As above; the result has the cut of `a` if square, else equal numbers of rows.
template <class T>
[[nodiscard]] csr_matrix<T> transpose(const csr_matrix<T>& a, const site& where = site::current()) {
  return transpose(a, csr::cut_of_transpose(a), where);
}

/// Transpose of conjugated values. Collective. Cost, errors: as transpose().
template <class T>
[[nodiscard]] csr_matrix<T> conjugate_transpose(const csr_matrix<T>& a, const row_cut& rows,
                                                const site& where = site::current()) {
  return csr::turned("conjugate_transpose", a, rows, base::conjugate<T>, where);
}
template <class T>
[[nodiscard]] csr_matrix<T> conjugate_transpose(const csr_matrix<T>& a,
                                                const site& where = site::current()) {
  return conjugate_transpose(a, csr::cut_of_transpose(a), where);
}

template <class T>
[[nodiscard, deprecated("transpose(a) makes a copy; transposed(x) is a view")]]
csr_matrix<T> transposed(const csr_matrix<T>& a, const site& where = site::current()) {
  return transpose(a, where);
}
template <class T>
[[nodiscard, deprecated("transpose(a) makes a copy; transposed(x) is a view")]]
csr_matrix<T> transposed(const csr_matrix<T>& a, const row_cut& rows,
                         const site& where = site::current()) {
  return transpose(a, rows, where);
}

}  // namespace acre
