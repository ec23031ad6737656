// SPDX-License-Identifier: BSD-3-Clause
// The gate of an object with a waiting move or end, which needs a moment without calls.
//
// The gate is shut and open in turn, for the same time each. While it is shut, new calls wait
// behind the change, so that running calls can drain. A running call may depend on one that is held
// back; that is not known, so the gate opens after a while, and dependent work proceeds at half its
// pace or more. A phase takes a millisecond, and grows to four times the longest call that started
// and ended during the wait: then calls drain within a shut phase. The time in which the gate was
// shut is not part of a call's length, so a call that waited for one that was held back does not
// make phases longer.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acre::agas {

class change_gate {
 public:
  using nanoseconds = std::int64_t;
  static constexpr nanoseconds shortest_phase = 1'000'000;

  /// @param era  more than that of the object's last gate
  change_gate(nanoseconds now, std::uint32_t era) noexcept
      : phase_begin_(now), first_era_(era), era_(era) {}

  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  /// Grows whenever it is shut.
  [[nodiscard]] std::uint32_t era() const noexcept { return era_; }
  /// How long it has been open.
  [[nodiscard]] nanoseconds open_time(nanoseconds now) const noexcept {
    return open_before_ + (is_open_ ? now - phase_begin_ : 0);
  }
  /// A call has ended that has begun in that era, at that open_time(). A call of an earlier era has
  /// begun before this gate, and its length says nothing about calls that the gate lets in.
  void note_call(std::uint32_t era, nanoseconds began, nanoseconds now) noexcept {
    if (era < first_era_) return;
    longest_call_ = std::max(longest_call_, open_time(now) - began);
  }
  /// @return whether it has been opened by this
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
