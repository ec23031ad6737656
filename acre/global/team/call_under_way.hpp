// SPDX-License-Identifier: BSD-3-Clause
// What is still to be done of a call whose message has been taken.
#pragma once

#include <acre/global/team/detail/call_tally.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace acre::global {

/// While it lives, drain() and the end of the job wait: whoever keeps a call for later has one.
class call_under_way {
 public:
  call_under_way() noexcept { count_call_sent(); }
  ~call_under_way() { count_call_done(); }
  call_under_way(const call_under_way&) = delete;
  call_under_way& operator=(const call_under_way&) = delete;
};

/// The same until a request that is kept here, and handed to its rank's owner later, has run there.
inline void count_call_under_way() noexcept { count_call_sent(); }

/// The subject of the wait (runtime/wait.hpp) of the thread that ends the job, which lasts until
/// all calls under way have ended.
inline constexpr char job_end_wait{};

/// Number of calls of this rank that have returned futures which are not ready: for the stall
/// watch. Any thread adds and subtracts one; no order is needed.
inline constinit std::atomic<std::uint64_t> unfinished_calls{0};

/// Keeps a call under way after its function has returned a future, until that future is ready.
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
