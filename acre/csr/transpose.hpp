// SPDX-License-Identifier: BSD-3-Clause
// Transposes sparse matrices.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/add_entries.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/team/same_operands.hpp>

#include <cstddef>

namespace acre {

/// Transpose. Collective. Cost: 1 allreduce + csr_builder.
/// @param rows  row cut of the result
/// @throws acre::error on all members for a mismatched `rows`, 2^32 or more rows of `a`, or short
/// memory
template <class T>
[[nodiscard]] csr_matrix<T> transpose(const csr_matrix<T>& a, const row_cut& rows,
                                      const site& where = site::current()) {
  global::require_same_operands(a.members(), "transpose", where, a);
  csr::check_equal("transpose", "the columns of the matrix", a.columns(), "the rows of the result",
                   rows.rows(), where);
  csr_builder<T> turned(a.members(), rows, a.rows(), where);
  const csr_rows<T> mine = a.local();
  csr::add_entries(
      "transpose", a.members(), mine, where,
      [&](std::size_t row, std::size_t column, const T& value) { turned.add(column, row, value); });
  return turned.finish(where);
}
/// As above; the result has the cut of `a` if square, else equal numbers of rows.
template <class T>
[[nodiscard]] csr_matrix<T> transpose(const csr_matrix<T>& a, const site& where = site::current()) {
  const bool is_square = a.rows() == a.columns();
  return transpose(a, is_square ? a.cut() : row_cut::equal(a.columns(), a.members().size()), where);
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
