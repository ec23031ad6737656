// SPDX-License-Identifier: BSD-3-Clause
// How many sends of a thread find no room at once: each but the first in what another one runs
// meanwhile.
#pragma once

namespace acre::runtime {

/// So deep do waits of sends run what others have asked for.
inline constexpr unsigned most_nested_sends = 16;

/// How many sends of this thread are held back, each in what another runs meanwhile.
extern thread_local constinit unsigned held_back_sends;
/// One more of them, in a scope.
class held_back_send {
 public:
  held_back_send() noexcept { ++held_back_sends; }
  ~held_back_send() { --held_back_sends; }
  held_back_send(const held_back_send&) = delete;
  held_back_send& operator=(const held_back_send&) = delete;
};

}  // namespace acre::runtime
