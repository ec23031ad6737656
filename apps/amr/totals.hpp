// SPDX-License-Identifier: BSD-3-Clause
// What is summed over the mesh, the same to the last bit in whatever order: sums are of whole
// numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace acre::amr {

/// A sum with 32 bits before the point, one of them for the sign, and 96 behind it. Adding is
/// exact, so any order will do; each number that comes in is cut off at 2^-96.
class exact_sum {
 public:
  constexpr exact_sum() noexcept = default;
  /// @param number  of less than 2^31
  explicit exact_sum(double number) noexcept {
    // Of the size alone: what is a little less than nothing has no exact distance to the next
    // whole.
    const double scaled = std::ldexp(std::abs(number), 32);
    const double whole = std::floor(scaled);
    high_ = static_cast<std::uint64_t>(whole);
    low_ = static_cast<std::uint64_t>(std::ldexp(scaled - whole, 64));
    if (number < 0) negate();
  }

  exact_sum& operator+=(const exact_sum& other) noexcept {
    low_ += other.low_;
    high_ += other.high_ + (low_ < other.low_ ? 1 : 0);
    return *this;
  }
  [[nodiscard]] double value() const noexcept {
    exact_sum size = *this;
    const bool is_negative = (high_ >> 63) != 0;
    if (is_negative) size.negate();
    const double found = std::ldexp(static_cast<double>(size.high_), -32) +
                         std::ldexp(static_cast<double>(size.low_), -96);
    return is_negative ? -found : found;
  }
  friend bool operator==(const exact_sum&, const exact_sum&) = default;

 private:
  void negate() noexcept {
    low_ = ~low_ + 1;
    high_ = ~high_ + (low_ == 0 ? 1 : 0);
  }

  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// Of a leaf, of a rank's leaves, of all.
struct totals {
  std::uint64_t leaves = 0;
  exact_sum mass;
  exact_sum error;   ///< integral of |u - exact|
  double worst = 0;  ///< the largest |u - exact|

  totals& operator+=(const totals& other) noexcept {
    leaves += other.leaves;
    mass += other.mass;
    error += other.error;
    worst = std::max(worst, other.worst);
    return *this;
  }
  friend bool operator==(const totals&, const totals&) = default;
};

}  // namespace acre::amr
