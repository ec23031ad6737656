// SPDX-License-Identifier: BSD-3-Clause
// Counters of calls under way.
#pragma once

#include <acre/global/team/detail/call_tally.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace acre::global {

/// Delays drain() and the end of the job while it exists.
class call_under_way {
 public:
  call_under_way() noexcept { count_call_sent(); }
  ~call_under_way() { count_call_done(); }
  call_under_way(const call_under_way&) = delete;
  call_under_way& operator=(const call_under_way&) = delete;
};

/// Counts a stored request until its owner has run it and calls count_call_done().
inline void count_call_under_way() noexcept { count_call_sent(); }

inline constexpr char job_end_wait{};

/// Calls whose returned futures are not ready, for the stall watch. Relaxed.
inline constinit std::atomic<std::uint64_t> unfinished_calls{0};

/// Counts a call until its returned future is ready.
class unfinished_call {
 public:
  explicit unfinished_call(bool is_unfinished) noexcept : is_counted_(is_unfinished) {
    if (!is_counted_) return;
    count_call_sent();
    unfinished_calls.fetch_add(1, std::memory_order_relaxed);
  }
  unfinished_call(unfinished_call&& other) noexcept
      : is_counted_(std::exchange(other.is_counted_, false)) {}
  unfinished_call& operator=(unfinished_call&&) = delete;
  ~unfinished_call() {
    if (!is_counted_) return;
    unfinished_calls.fetch_sub(1, std::memory_order_relaxed);
    count_call_done();
  }

 private:
  bool is_counted_;
};

}  // namespace acre::global
