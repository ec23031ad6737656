// SPDX-License-Identifier: BSD-3-Clause
// The gate of an object with a waiting move or end, shut and open in turn, equally long. While
// shut, new calls wait, so that running calls drain. It reopens, because a running call may depend
// on one held back. A phase lasts four times the longest concurrent call within the wait, in open
// time, and at least 1 ms.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acre::agas {

class change_gate {
 public:
  using nanoseconds = std::int64_t;
  static constexpr nanoseconds shortest_phase = 1'000'000;

  change_gate(nanoseconds now, std::uint32_t era) noexcept
      : phase_begin_(now), first_era_(era), era_(era) {}

  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  [[nodiscard]] std::uint32_t era() const noexcept { return era_; }
  [[nodiscard]] nanoseconds open_time(nanoseconds now) const noexcept {
    return open_before_ + (is_open_ ? now - phase_begin_ : 0);
  }
  /// Records a concurrent call that has ended. `began`: open_time() when it began, in `era`; calls
  /// of an older gate are ignored.
  void note_call(std::uint32_t era, nanoseconds began, nanoseconds now) noexcept {
    if (era < first_era_) return;
    longest_call_ = std::max(longest_call_, open_time(now) - began);
  }
  bool advance(nanoseconds now) noexcept {
    if (now - phase_begin_ < phase_) return false;
    if (is_open_) {
      open_before_ += now - phase_begin_;
      ++era_;
      phase_ = std::max(shortest_phase, 4 * longest_call_);
    }
    is_open_ = !is_open_;
    phase_begin_ = now;
    return is_open_;
  }

 private:
  nanoseconds phase_begin_;
  nanoseconds phase_ = shortest_phase;
  nanoseconds open_before_ = 0;
  nanoseconds longest_call_ = 0;
  std::uint32_t first_era_;
  std::uint32_t era_;
  bool is_open_ = false;
};

}  // namespace acre::agas
