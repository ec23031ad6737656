// SPDX-License-Identifier: BSD-3-Clause
// Progress: moving messages and completions on.
#pragma once

#include <cstddef>

namespace acre {

/// Moves communication on and runs what others asked of this rank (RPCs,
/// continuations of futures). Call it from long computations that should
/// answer RPCs; puts, gets and atomics are answered without it.
/// Any thread may call it; user code runs in the calling thread. A call that finds nothing
/// yields now and then (nearly always where ranks outnumber the cores), so that it may be
/// repeated in a loop; wait_until() is the better loop, and sleeps.
/// @return how many events were handled
/// @throws what a function of the user threw that ran here or in an earlier wait
///         of this rank, or the failure of a future that was dropped; one a call
std::size_t progress();

}  // namespace acre

namespace acre::runtime {

/// What a wait may run while it waits.
enum class may_run {
  user_code,    ///< RPCs and continuations: the waits of users
  internal,     ///< only built-in handlers: waiting for room in the middle of a call
  network_only  ///< of these, those of what a network brings: neighbours' messages stay in the ring
};

/// The same without user code: what a call may do that waits for room.
std::size_t progress_internal();

/// Runs `task` in the next progress() of this rank. For completions that are
/// noticed by the helper thread but belong to user code.
struct deferred_task {
  deferred_task* next = nullptr;
  void (*run)(deferred_task&) = nullptr;
};
void defer(deferred_task& task) noexcept;

/// Runs `task` when this rank has run what waits for it: at the end of the progress() or the step
/// of a wait that is under way, or of the next one. For what several of these leave to be done
/// once.
void defer_to_end(deferred_task& task) noexcept;
/// Whether this thread is in what progress() or a wait runs of a queue, and more is in it.
[[nodiscard]] bool more_is_to_run() noexcept;

/// Says that this rank is in a call that programs repeat, and that polls: exchanges of a loop.
/// While such calls come every few milliseconds, the helper thread leaves the network to them: each
/// time that it woke for what they find as well it would take a core from a loop. What others ask
/// of the rank meanwhile waits for its next call, or after the last one for some milliseconds.
void note_repeated_call() noexcept;

/// Whether this thread is in code that progress() or a wait runs: an RPC's, a
/// continuation's. Known in builds with ACRE_CHECKS only.
[[nodiscard]] bool runs_for_others() noexcept;

}  // namespace acre::runtime
