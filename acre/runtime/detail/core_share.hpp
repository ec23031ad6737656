// SPDX-License-Identifier: BSD-3-Clause
// Who else runs on a thread's core, learned from its yields and wake-ups.
#pragma once

#include <algorithm>
#include <chrono>

namespace acre::runtime {

class core_share {
 public:
  using clock = std::chrono::steady_clock;

  /// True if another rank shares the core: it runs only if this thread yields or sleeps.
  [[nodiscard]] bool has_ranks() const noexcept { return has_ranks_; }

  /// True if another program computes on the core: a yield would cost a time slice of
  /// milliseconds, a sleep only the wake-up.
  [[nodiscard]] bool is_taken(clock::time_point now) noexcept {
    may_be_taken_ = now < taken_until_;
    return may_be_taken_;
  }
  /// False if is_taken() would be. Does not need the time.
  [[nodiscard]] bool may_be_taken() const noexcept { return may_be_taken_; }

  void note_yield(clock::time_point begin, clock::time_point end) noexcept {
    const clock::duration spent = end - begin;
    has_ranks_ = spent > shortest_turn && spent < shortest_slice;
    if (spent < shortest_slice) return;
    // If a program still computes soon after the last such period, it computes for long.
    const bool goes_on = begin - taken_until_ < period_;
    period_ = goes_on ? std::min(2 * period_, longest_period) : shortest_period;
    taken_until_ = end + period_;
    may_be_taken_ = true;
  }
  void note_wake_up(bool from_this_core) noexcept { has_ranks_ = from_this_core; }

 private:
  static constexpr clock::duration shortest_turn = std::chrono::microseconds(2);
  static constexpr clock::duration shortest_slice = std::chrono::microseconds(200);
  static constexpr clock::duration shortest_period = std::chrono::milliseconds(6);
  static constexpr clock::duration longest_period = std::chrono::milliseconds(48);

  bool has_ranks_ = false;
  bool may_be_taken_ = false;
  clock::time_point taken_until_{};
  clock::duration period_{};
};

}  // namespace acre::runtime
