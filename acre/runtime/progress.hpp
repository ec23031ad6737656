// Progress: moving messages and completions on.
#pragma once

#include <cstddef>

namespace acre {

/// Moves communication on and runs what others asked of this rank (RPCs,
/// continuations of futures). Call it from long computations that should
/// answer RPCs; puts, gets and atomics are answered without it.
/// Any thread may call it; user code runs in the calling thread.
/// @return how many events were handled
std::size_t progress();

}  // namespace acre

namespace acre::runtime {

/// The same without user code: what a call may do that waits for room.
std::size_t progress_internal();

/// Runs `task` in the next progress() of this rank. For completions that are
/// noticed by the helper thread but belong to user code.
struct deferred_task {
  deferred_task* next = nullptr;
  void (*run)(deferred_task&) = nullptr;
};
void defer(deferred_task& task) noexcept;

/// Called at the end of each progress() in which something happened. One, set
/// before the job starts by the room that has futures.
bool set_after_progress(void (*hook)()) noexcept;

}  // namespace acre::runtime
