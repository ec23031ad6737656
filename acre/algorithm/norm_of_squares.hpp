// SPDX-License-Identifier: BSD-3-Clause
// Euclidean norms without overflow and underflow of squares.
#pragma once

namespace acre::algorithm {

/// True if the sum is NaN, or no square overflowed and no relevant one underflowed.
[[nodiscard]] bool is_sum_of_squares(double sum) noexcept;
/// Power of two, which scales without rounding, such that squares neither overflow nor underflow. 0
/// if `largest` is the norm.
[[nodiscard]] double scale_for(double largest) noexcept;
/// Square root of the sum, divided by `scale`.
[[nodiscard]] double norm_of(double sum, double scale) noexcept;

/// @param squares_of  returns the sum of squares of all elements times its argument
template <class Squares, class Largest>
[[nodiscard]] double norm_of_squares(const Squares& squares_of, const Largest& largest_of) {
  const double squares = squares_of(1.0);
  if (is_sum_of_squares(squares)) return norm_of(squares, 1.0);
  const double largest = largest_of();
  const double scale = scale_for(largest);
  return scale == 0 ? largest : norm_of(squares_of(scale), scale);
}

}  // namespace acre::algorithm
