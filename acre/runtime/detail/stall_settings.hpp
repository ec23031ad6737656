// SPDX-License-Identifier: BSD-3-Clause
// Settings of the stall watch.
#pragma once

#include <atomic>
#include <chrono>

namespace acre::runtime {

struct stall_settings {
  std::chrono::milliseconds limit{0};
  void (*report)() = nullptr;
  /// True while a thread watches functions run by waits. Relaxed: guards no data.
  std::atomic<bool> functions_are_watched{false};
};

extern constinit stall_settings the_stall_settings;

}  // namespace acre::runtime
