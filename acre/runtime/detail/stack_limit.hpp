// SPDX-License-Identifier: BSD-3-Clause
// Stack limit beyond which waits serve no requests.
#pragma once

#include <cstdint>

namespace acre::runtime {

[[nodiscard]] std::uintptr_t lowest_frame_for_requests() noexcept;
[[nodiscard]] const void* end_of_stack() noexcept;

[[nodiscard]] inline bool stack_is_short() noexcept {
  thread_local const std::uintptr_t limit = lowest_frame_for_requests();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < limit;
}

}  // namespace acre::runtime
