// SPDX-License-Identifier: BSD-3-Clause
// Progress, and tasks deferred to it.
#pragma once

#include <cstddef>

namespace acre {

/// Makes progress and runs requests of other ranks (RPCs, continuations) in the calling thread.
/// Call it in long computations; puts, gets and atomics do not need it. Thread-safe.
/// @return number of events
/// @throws one exception of a user function run here or in earlier waits, or failure of a dropped
/// future
std::size_t progress();

}  // namespace acre

namespace acre::runtime {

enum class may_run {
  user_code,    ///< waits of the program: also RPCs, continuations
  internal,     ///< waits within a call: built-in handlers only
  network_only  ///< built-in handlers of network messages only
};

/// Progress without user code.
std::size_t progress_internal();

/// Runs `task` in the owner's next progress() or wait that runs user code.
struct deferred_task {
  deferred_task* next = nullptr;
  void (*run)(deferred_task&) = nullptr;
};
void defer(deferred_task& task) noexcept;

/// Runs `task` after the queued work of the current progress() or wait step, or of the next one.
void defer_to_end(deferred_task& task) noexcept;
/// True if this thread runs queued work and more is queued.
[[nodiscard]] bool more_is_to_run() noexcept;

/// Called by a polling call that programs repeat. While it recurs within milliseconds, the helper
/// leaves the network to it, and requests wait for it.
void note_repeated_call() noexcept;

/// True in code run by progress() or a wait. Only with ACRE_CHECKS.
[[nodiscard]] bool runs_for_others() noexcept;

}  // namespace acre::runtime
