// SPDX-License-Identifier: BSD-3-Clause
// Entries above the diagonal of matrices with a symmetry.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/error.hpp>
#include <acre/base/matrix_market_grammar.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/transpose.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace acre::matrix_files {

/// Entry (j, i) for entry (i, j).
template <class T>
[[nodiscard]] T mirrored(const T& value, base::market_symmetry symmetry) {
  if constexpr (std::is_empty_v<T>) {
    return value;
  } else {
    if (symmetry == base::market_symmetry::skew) return static_cast<T>(T{} - value);
    return symmetry == base::market_symmetry::hermitian ? base::conjugate(value) : value;
  }
}

/// The negative of the least integer is not representable.
template <class T>
[[nodiscard]] bool has_mirrored(const T& value, base::market_symmetry symmetry) {
  if constexpr (std::signed_integral<T>) {
    return symmetry != base::market_symmetry::skew || value != std::numeric_limits<T>::min();
  } else {
    return true;
  }
}

template <class T>
[[nodiscard]] bool are_mirrored(const T& value, const T& other, base::market_symmetry symmetry) {
  if (!has_mirrored(value, symmetry)) return false;
  const T wanted = mirrored(value, symmetry);
  return wanted == other || (wanted != wanted && other != other);  // both NaN
}

[[nodiscard]] std::string market_symmetry_name(base::market_symmetry symmetry);

/// @throws acre::error if no matrix of this type can be written with this symmetry
void check_market_symmetry(base::market_symmetry symmetry, bool is_complex, bool is_signed,
                           std::size_t rows, std::size_t columns, const site& where);
[[noreturn]] void throw_asymmetry(base::market_symmetry symmetry, std::size_t row,
                                  std::size_t column, const site& where);

/// Finds the first entry without its mirrored one. Collective. Cost: transpose() + 1 allreduce.
/// @throws acre::error on all members if `a` violates the symmetry
template <class T>
void require_symmetry(const csr_matrix<T>& a, base::market_symmetry symmetry, const site& where) {
  check_market_symmetry(symmetry, base::is_complex<T>,
                        !std::is_empty_v<T> && !std::is_unsigned_v<T>, a.rows(), a.columns(),
                        where);
  const csr_matrix<T> turned = transpose(a, where);
  const csr_rows<T> own = a.local();
  const csr_rows<T> other = turned.local();
  struct place {
    std::size_t row = std::numeric_limits<std::size_t>::max();
    std::size_t column = 0;
  };
  place wrong;
  for (std::size_t row = 0; row < own.count; ++row) {
    const std::size_t end =
        std::min(own.end_of(row) - own.begin_of(row), other.end_of(row) - other.begin_of(row));
    std::size_t i = 0;
    while (i < end) {
      const std::size_t mine = own.begin_of(row) + i;
      const std::size_t theirs = other.begin_of(row) + i;
      if (own.columns[mine] != other.columns[theirs] ||
          !are_mirrored(own.value(mine), other.value(theirs), symmetry)) {
        break;
      }
      ++i;
    }
    const bool has_own = own.begin_of(row) + i < own.end_of(row);
    const bool has_other = other.begin_of(row) + i < other.end_of(row);
    if (!has_own && !has_other) continue;
    std::size_t column = a.columns();
    if (has_own) column = own.columns[own.begin_of(row) + i];
    if (has_other) column = std::min<std::size_t>(column, other.columns[other.begin_of(row) + i]);
    wrong = {own.first + row, column};
    break;
  }
  wrong = a.members().allreduce(
      wrong, [](const place& x, const place& y) { return x.row <= y.row ? x : y; }, where);
  if (wrong.row < a.rows()) throw_asymmetry(symmetry, wrong.row, wrong.column, where);
}

}  // namespace acre::matrix_files
