// SPDX-License-Identifier: BSD-3-Clause
// Signals to a launcher: it reads them from a descriptor, and its ranks start with the mask that it
// was started with.
#pragma once

#include "events.hpp"
#include "output.hpp"
#include <acre/base/descriptor.hpp>

#include <csignal>
#include <map>

namespace acre::tool {

class job_signals {
 public:
  /// Blocks the signals: before there are threads.
  explicit job_signals(event_queue& events);

  /// The signal mask of before.
  [[nodiscard]] const sigset_t& mask_before() const noexcept { return before_; }
  /// @return the next signal that has arrived, or 0
  [[nodiscard]] int next();
  /// Whether the user asks for the end of the job again by the same signal.
  [[nodiscard]] bool is_repeated(int signal, clock::time_point now);

 private:
  sigset_t before_{};
  descriptor signals_;
  std::map<int, clock::time_point> asked_at_;  // first, by signal
};

}  // namespace acre::tool
