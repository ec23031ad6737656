// SPDX-License-Identifier: BSD-3-Clause
// Failures kept for later: exceptions of user functions that ran inside an unrelated call, and
// failures of dropped futures. Thrown at the end of the next progress(), wait for a future, barrier
// or blocking collective, or of the job.
#pragma once

#include <exception>

namespace acre::runtime {

/// Keeps a failure; drops it if 16 are kept already.
void keep_lost_failure(std::exception_ptr failure) noexcept;

[[nodiscard]] bool has_lost_failure() noexcept;

/// Removes the oldest; null if empty.
[[nodiscard]] std::exception_ptr pop_lost_failure() noexcept;

/// Throws the oldest, if any: only at the end of a public call.
inline void rethrow_lost_failure();

/// While an object exists, this thread does not throw kept failures: for sequences of collectives.
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
  if (auto failure = pop_lost_failure()) std::rethrow_exception(failure);
}

}  // namespace acre::runtime
