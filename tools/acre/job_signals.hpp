// SPDX-License-Identifier: BSD-3-Clause
// Signals that a launcher receives.
#pragma once

#include "events.hpp"
#include "output.hpp"
#include <acre/base/descriptor.hpp>

#include <csignal>
#include <map>

namespace acre::tool {

class job_signals {
 public:
  /// Blocks the signals; must run before threads start.
  explicit job_signals(event_queue& events);

  /// Original mask, for the ranks.
  [[nodiscard]] const sigset_t& mask_before() const noexcept { return before_; }
  /// @return pending signal, or 0
  [[nodiscard]] int next();
  [[nodiscard]] bool is_repeated(int signal, clock::time_point now);

 private:
  sigset_t before_{};
  descriptor signals_;
  std::map<int, clock::time_point> asked_at_;  // first request, by signal
};

}  // namespace acre::tool
