// SPDX-License-Identifier: BSD-3-Clause
// Sends in the middle of something that code of users must not see half done.
//
// A send that finds no room may run what others have asked of this rank, and that may wait: for
// instance for a message that is to be sent behind this one.
#pragma once

#include <acre/runtime/detail/held_back_sends.hpp>

namespace acre::runtime {

/// While it lives, sends of this thread that find no room run no code of users: they queue what
/// comes. Where they are many, run_some_of_queue() before each keeps that queue short.
class undisturbed_sends {
 public:
  undisturbed_sends() noexcept { held_back_sends += most_nested_sends; }
  ~undisturbed_sends() { held_back_sends -= most_nested_sends; }
  undisturbed_sends(const undisturbed_sends&) = delete;
  undisturbed_sends& operator=(const undisturbed_sends&) = delete;
};

/// What others have asked of this rank, a little of it, where so much is queued that a send which
/// finds no room would run it. As that does, it leaves failures to others. Cost: l.
void run_some_of_queue();

}  // namespace acre::runtime
