// SPDX-License-Identifier: BSD-3-Clause
// Stall watch for functions that do not return, for example on a std::mutex. With
// ACRE_STALL_SECONDS, a thread checks that the latest wait makes steps.
#pragma once

#include <chrono>

namespace acre::runtime {

/// Reports, once each, functions that run for `limit` in a wait; 0 disables.
void watch_functions(std::chrono::milliseconds limit) noexcept;

}  // namespace acre::runtime
