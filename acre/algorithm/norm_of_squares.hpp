// SPDX-License-Identifier: BSD-3-Clause
// Euclidean norms without overflow and underflow of squares.
#pragma once

namespace acre::algorithm {

/// True if the sum is NaN, or no square overflowed and none that matters underflowed.
[[nodiscard]] bool is_sum_of_squares(double sum) noexcept;
/// Scale of elements whose squares neither overflow nor underflow: a power of two, which scales
/// without rounding. 0 if the largest absolute value, 0 or infinity, is the norm.
[[nodiscard]] double scale_for(double largest) noexcept;
/// Square root of the sum, divided by `scale`, a power of two.
[[nodiscard]] double norm_of(double sum, double scale) noexcept;

/// @param squares_of  returns the sum of the squares of all elements, each multiplied by its
/// argument
/// @param largest_of  returns the largest absolute value
template <class Squares, class Largest>
[[nodiscard]] double norm_of_squares(const Squares& squares_of, const Largest& largest_of) {
  const double squares = squares_of(1.0);
  if (is_sum_of_squares(squares)) return norm_of(squares, 1.0);
  const double largest = largest_of();
  const double scale = scale_for(largest);
  return scale == 0 ? largest : norm_of(squares_of(scale), scale);
}

}  // namespace acre::algorithm
