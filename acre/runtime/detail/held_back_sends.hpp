// SPDX-License-Identifier: BSD-3-Clause
// Number of nested sends of this thread that wait for room.
#pragma once

namespace acre::runtime {

/// Depth of nested sends up to which their waits run requests.
inline constexpr unsigned most_nested_sends = 16;

extern thread_local constinit unsigned held_back_sends;
class held_back_send {
 public:
  held_back_send() noexcept { ++held_back_sends; }
  ~held_back_send() { --held_back_sends; }
  held_back_send(const held_back_send&) = delete;
  held_back_send& operator=(const held_back_send&) = delete;
};

}  // namespace acre::runtime
