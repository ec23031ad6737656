// SPDX-License-Identifier: BSD-3-Clause
// The part of the stall watch for functions that do not return.
//
// What others ask of a rank runs in its waits, on the stack of the thread that waits. A function
// that takes a std::mutex which this thread holds, because it was locked before the wait, never
// returns; the thread makes no step of its wait any more, so it cannot report that itself. While
// ACRE_STALL_SECONDS is set a thread of its own looks whether the latest wait still makes steps.
#pragma once

#include <chrono>

namespace acre::runtime {

/// Reports, once for each, functions that have run in a wait for `limit`; 0: none, as in the
/// beginning. Where no thread can be started there is no report.
void watch_functions(std::chrono::milliseconds limit) noexcept;

}  // namespace acre::runtime
