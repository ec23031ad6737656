// SPDX-License-Identifier: BSD-3-Clause
// Exact sums for tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::exact_sums {

/// Sum as numbers without common bits (J. R. Shewchuk, 1997), rounded to nearest, ties to even.
/// Partial sums must not overflow.
inline double expansion_sum(const std::vector<double>& values) {
  std::vector<double> parts;  // increasing
  for (double x : values) {
    std::size_t kept = 0;
    for (double y : parts) {
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double high = x + y;
      const double low = y - (high - x);
      if (low != 0) parts[kept++] = low;
      x = high;
    }
    parts.resize(kept);
    parts.push_back(x);
  }
  if (parts.empty()) return 0;
  double high = parts.back();
  double low = 0;
  std::size_t i = parts.size() - 1;
  while (i > 0 && low == 0) {
    const double x = high;
    const double y = parts[--i];
    high = x + y;
    low = y - (high - x);
  }
  // A tie, decided by the next part.
  if (i > 0 && low != 0 && (low < 0) == (parts[i - 1] < 0) && parts[i - 1] != 0) {
    const double twice = 2 * low;
    const double other = high + twice;
    if (twice == other - high) high = other;
  }
  return high;
}

}  // namespace acre::exact_sums
