// SPDX-License-Identifier: BSD-3-Clause
// Order-independent mesh totals: sums of integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace acre::amr {

/// Exact fixed-point sum: 32 integer bits with sign, 96 fractional bits. Each addend is truncated
/// at 2^-96.
class exact_sum {
 public:
  constexpr exact_sum() noexcept = default;
  /// @param number  below 2^31 in magnitude
  explicit exact_sum(double number) noexcept {
    // Uses the magnitude: the distance of a tiny negative number to the next integer is inexact.
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

/// Sum with the rounding errors of its additions (Neumaier, Z. Angew. Math. Mech. 54, 1974): that
/// of equal numbers has no drift.
[[nodiscard]] inline double compensated_sum(std::span<const double> numbers) noexcept {
  double sum = 0;
  double lost = 0;
  for (const double each : numbers) {
    const double next = sum + each;
    lost += std::abs(sum) >= std::abs(each) ? (sum - next) + each : (each - next) + sum;
    sum = next;
  }
  return sum + lost;
}

struct totals {
  std::uint64_t leaves = 0;
  exact_sum mass;
  exact_sum energy;  ///< of a gas
  exact_sum error;
  double worst = 0;
  double time = 0;

  totals& operator+=(const totals& other) noexcept {
    leaves += other.leaves;
    mass += other.mass;
    energy += other.energy;
    error += other.error;
    worst = std::max(worst, other.worst);
    time = std::max(time, other.time);
    return *this;
  }
  friend bool operator==(const totals&, const totals&) = default;
};

}  // namespace acre::amr
