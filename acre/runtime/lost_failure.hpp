// SPDX-License-Identifier: BSD-3-Clause
// Failures that nobody has looked at yet: what a function of the user threw
// that ran in the middle of a call which has nothing to do with it, or the
// failure of a future that was dropped.
//
// They are not thrown there: a wait ends when what it waits for is there, and a
// collective is over on all ranks before its caller hears of anything else. They
// come up at the end of the next progress(), wait for a future, barrier or
// blocking collective, and at the latest when the job ends.
#pragma once

#include <exception>

namespace acre::runtime {

/// Keeps a failure for later; of very many the first ones.
void keep_lost_failure(std::exception_ptr failure) noexcept;

/// Whether one is kept.
[[nodiscard]] bool has_lost_failure() noexcept;

/// Takes the oldest; null when there is none.
[[nodiscard]] std::exception_ptr take_lost_failure() noexcept;

/// Throws the oldest, if there is one. Only where a public call ends.
inline void rethrow_lost_failure();

/// While one of these lives, the calls that this thread makes leave kept failures
/// alone: for what consists of several collectives, which all ranks have to reach.
class failures_held {
 public:
  failures_held() noexcept { ++depth_; }
  ~failures_held() { --depth_; }
  failures_held(const failures_held&) = delete;
  failures_held& operator=(const failures_held&) = delete;

 private:
  friend void rethrow_lost_failure();
  inline static thread_local constinit unsigned depth_ = 0;
};

inline void rethrow_lost_failure() {
  if (!has_lost_failure() || failures_held::depth_ != 0) [[likely]]
    return;
  if (auto failure = take_lost_failure()) std::rethrow_exception(failure);
}

}  // namespace acre::runtime
