// SPDX-License-Identifier: BSD-3-Clause
// What waits know of the stall watch.
#pragma once

#include <atomic>
#include <chrono>

namespace acre::runtime {

struct stall_settings {
  std::chrono::milliseconds limit{0};  ///< 0: waits report nothing
  void (*report)() = nullptr;          ///< of a wait that has reached the limit
  /// Whether a thread watches functions that waits run (blocked_watch.hpp). Relaxed: it guards
  /// nothing.
  std::atomic<bool> functions_are_watched{false};
};

/// Written when the watch is turned on or off, read by waits.
extern constinit stall_settings the_stall_settings;

}  // namespace acre::runtime
