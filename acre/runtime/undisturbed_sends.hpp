// SPDX-License-Identifier: BSD-3-Clause
// Sends that run no requests, for callers amid changes that user code must not see.
#pragma once

#include <acre/runtime/detail/held_back_sends.hpp>

namespace acre::runtime {

/// While it exists, this thread's sends run no requests: without room, they queue incoming ones.
/// Before each of many sends, call run_some_of_queue().
class undisturbed_sends {
 public:
  undisturbed_sends() noexcept { held_back_sends += most_nested_sends; }
  ~undisturbed_sends() { held_back_sends -= most_nested_sends; }
  undisturbed_sends(const undisturbed_sends&) = delete;
  undisturbed_sends& operator=(const undisturbed_sends&) = delete;
};

/// True within such a scope, or nested sends that wait for room.
[[nodiscard]] inline bool sends_are_undisturbed() noexcept {
  return held_back_sends >= most_nested_sends;
}

/// Runs a few requests of a long queue. Cost: l.
void run_some_of_queue();

}  // namespace acre::runtime
