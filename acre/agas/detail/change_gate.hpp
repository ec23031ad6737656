// The gate before an object that is to move or to end, and has to wait for a moment without calls.
//
// It is shut and open in turn. Calls that come while it is shut wait behind the change, so that
// those that run can end. But one of these may wait for one that is kept out: nobody knows what it
// waits for. So the gate opens after a while, for as long as it was shut: whatever depends on such
// calls gets on at half its pace at least. A phase is a millisecond long, and grows to four times
// the longest call that has begun and ended meanwhile, so that such calls end within one in which
// it is shut. Time in which the gate was shut does not count: a call that has waited for one that
// was kept out makes no phase longer.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acre::detail {

class change_gate {
 public:
  using nanoseconds = std::int64_t;
  static constexpr nanoseconds shortest_phase = 1'000'000;

  /// @param era  more than that of the object's last gate
  change_gate(nanoseconds now, std::uint32_t era) noexcept : phase_begin_(now), era_(era) {}

  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  /// Grows whenever it is shut.
  [[nodiscard]] std::uint32_t era() const noexcept { return era_; }
  /// How long it has been open.
  [[nodiscard]] nanoseconds open_time(nanoseconds now) const noexcept {
    return open_before_ + (is_open_ ? now - phase_begin_ : 0);
  }
  /// A call has ended that has begun at that open_time().
  void note_call(nanoseconds began, nanoseconds now) noexcept {
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
  std::uint32_t era_;
  bool is_open_ = false;
};

}  // namespace acre::detail
