// SPDX-License-Identifier: BSD-3-Clause
// Counts the trials and the time of a search against its limits (effort.hpp).
#pragma once

#include <acre/mapping/effort.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace acre::mapping {

class budget {
 public:
  explicit budget(const effort& given)
      : given_(given), end_(std::chrono::steady_clock::now() + given.at_most) {}

  [[nodiscard]] bool spent() {
    if (++trials_ > given_.most_trials) return true;
    if (trials_ % 64 == 0 && std::chrono::steady_clock::now() > end_) over_ = true;
    return over_;
  }
  /// True after the time limit.
  [[nodiscard]] bool is_over() const { return over_ || std::chrono::steady_clock::now() > end_; }
  /// Fraction used of trials or time, 0 … 1. Time counts in whole per cent, so that short searches
  /// repeat exactly.
  [[nodiscard]] double share() const {
    const double left =
        std::chrono::duration<double>(end_ - std::chrono::steady_clock::now()) / given_.at_most;
    const double time = std::floor(100 * (1 - left)) / 100;
    const double count = static_cast<double>(trials_) / static_cast<double>(given_.most_trials);
    return std::clamp(std::max(time, count), 0.0, 1.0);
  }

 private:
  effort given_;
  std::chrono::steady_clock::time_point end_;
  std::uint64_t trials_ = 0;
  bool over_ = false;
};

}  // namespace acre::mapping
