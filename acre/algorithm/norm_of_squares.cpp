// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/norm_of_squares.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace acre::algorithm {

bool is_sum_of_squares(double sum) noexcept {
  using limits = std::numeric_limits<double>;
  // Above, squares that underflow do not matter.
  constexpr double least = limits::min() / (limits::epsilon() * limits::epsilon());
  return std::isnan(sum) || (sum >= least && sum <= limits::max());
}

double scale_for(double largest) noexcept {
  if (largest == 0 || std::isinf(largest)) return 0;
  // The inverse of a subnormal number would overflow.
  return std::ldexp(1.0, -std::max(std::ilogb(largest), -1022));
}

double norm_of(double sum, double scale) noexcept {
  return std::ldexp(std::sqrt(sum), -std::ilogb(scale));
}

}  // namespace acre::algorithm
