// SPDX-License-Identifier: BSD-3-Clause
// Functions that exit() calls with its status.
#pragma once

#include <cstdlib>

namespace acre {

/// exit() calls `Function(status)`, with status 0 if the C library does not report it (musl).
template <void (*Function)(int status)>
void call_at_exit() {
#ifdef __GLIBC__
  ::on_exit([](int status, void*) { Function(status); }, nullptr);
#else
  std::atexit([] { Function(0); });
#endif
}

}  // namespace acre
