// SPDX-License-Identifier: BSD-3-Clause
// Functions that exit() calls with its status.
#pragma once

#include <cstdlib>

namespace acre {

/// exit() calls `function(status)`, with status 0 if the C library does not report it (musl).
template <void (*function)(int status)>
void call_at_exit() {
#ifdef __GLIBC__
  ::on_exit([](int status, void*) { function(status); }, nullptr);
#else
  std::atexit([] { function(0); });
#endif
}

}  // namespace acre
