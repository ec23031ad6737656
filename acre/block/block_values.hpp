// SPDX-License-Identifier: BSD-3-Clause
// Norms, copies and mirrors of one column-major block.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/block/block_symmetry.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace acre::block_matrices {

template <class T>
inline constexpr std::uint64_t operations_each = base::is_complex<T> ? 8 : 2;

/// Avoids std::norm, which converts real numbers to complex.
template <class T>
[[nodiscard]] double square_of(const T& x) noexcept {
  if constexpr (base::is_complex<T>) {
    return static_cast<double>(x.real()) * static_cast<double>(x.real()) +
           static_cast<double>(x.imag()) * static_cast<double>(x.imag());
  } else {
    return static_cast<double>(x) * static_cast<double>(x);
  }
}

/// Deterministic; independent partial sums vectorise.
template <class T>
[[nodiscard]] double sum_of_squares(const T* values, std::size_t count) noexcept {
  constexpr std::size_t chains = 8;
  double sums[chains] = {};
  std::size_t i = 0;
  for (; i + chains <= count; i += chains) {
    for (std::size_t c = 0; c < chains; ++c) sums[c] += square_of(values[i + c]);
  }
  for (std::size_t c = 0; i < count; ++i, ++c) sums[c] += square_of(values[i]);
  double sum = 0;
  for (const double each : sums) sum += each;
  return sum;
}

/// True if the sum has no overflow or underflow, or is NaN.
[[nodiscard]] inline bool is_true_sum(double squares) noexcept {
  using limits = std::numeric_limits<double>;
  return !(squares < limits::min() / limits::epsilon() || squares > limits::max());
}

/// Norm of `values` (no NaN), divided by the largest so that squares do not overflow.
template <class T>
[[nodiscard]] double scaled_norm(std::span<const T> values) noexcept {
  const auto size_of = [](const T& x) {
    if constexpr (base::is_complex<T>) {
      return std::abs(std::complex<double>(x));
    } else {
      return std::abs(static_cast<double>(x));
    }
  };
  double largest = 0;
  for (const T& each : values) largest = std::max(largest, size_of(each));
  if (largest == 0 || std::isinf(largest)) return largest;
  double sum = 0;
  for (const T& each : values) sum += square_of(size_of(each) / largest);
  return largest * std::sqrt(sum);
}

template <class T>
[[nodiscard]] double norm_of(const T* values, std::size_t count) noexcept {
  const double sum = sum_of_squares(values, count);
  return is_true_sum(sum) ? std::sqrt(sum) : scaled_norm(std::span(values, count));
}

/// Copies a short column faster than one call of memcpy.
template <class T>
void copy_column(const T* from, std::size_t size, T* to) noexcept {
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) std::memcpy(to + i, from + i, 4 * sizeof(T));
  if ((size & 2) != 0) {
    std::memcpy(to + i, from + i, 2 * sizeof(T));
    i += 2;
  }
  if ((size & 1) != 0) to[i] = from[i];
}

template <class T>
[[nodiscard]] T mirrored(const T& value, block_symmetry how) noexcept {
  if (how == block_symmetry::antisymmetric) return -value;
  return how == block_symmetry::hermitian ? base::conjugate(value) : value;
}

/// Writes the transpose, negated or conjugated by `how`. @param rows, columns  of `from`
template <class T>
void mirror(const T* from, std::size_t rows, std::size_t columns, T* to,
            block_symmetry how) noexcept {
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) to[i * columns + j] = mirrored(from[j * rows + i], how);
  }
}

}  // namespace acre::block_matrices
