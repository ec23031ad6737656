// SPDX-License-Identifier: BSD-3-Clause
// Time limit of a search.
#pragma once

#include <chrono>
#include <exception>

namespace acre::mapping {

struct too_late : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "the time limit has expired"; }
};

class deadline {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit deadline(time_point until) : until_(until) {}

  [[nodiscard]] bool is_over() const {
    return until_ != time_point::max() && std::chrono::steady_clock::now() > until_;
  }
  /// Call in loops: reads the clock every 2048th call.
  ///
  /// @throws too_late
  void require() {
    if (++calls_ % 2048 == 0 && is_over()) throw too_late{};
  }

 private:
  time_point until_;
  unsigned calls_ = 0;
};

}  // namespace acre::mapping
