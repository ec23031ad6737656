// SPDX-License-Identifier: BSD-3-Clause
// How much stack this thread may use before it serves no more requests in its waits. Private to the
// runtime.
#pragma once

#include <cstdint>

namespace acre::runtime {

/// They may be nested as deep as ranks call each other, so the limit is the memory and not a
/// number.
[[nodiscard]] std::uintptr_t lowest_frame_for_requests() noexcept;
/// Of this thread: above it nothing is on the stack.
[[nodiscard]] const void* end_of_stack() noexcept;

[[nodiscard]] inline bool stack_is_short() noexcept {
  thread_local const std::uintptr_t limit = lowest_frame_for_requests();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < limit;
}

}  // namespace acre::runtime
