// SPDX-License-Identifier: BSD-3-Clause
// The thread that runs user code (RPC functions, continuations): by default any in progress() or a
// wait. Select it if functions use its data without a lock:
//
//     acre::job job;
//     const acre::user_code_thread here;     // RPCs and continuations: in this thread only
//     std::vector<std::thread> workers = …   // may put, get, send RPCs and wait
//     serve_until(done);                     // calls progress() or waits
//
// The engine's gate holds RPCs until the job's constructor ends.
#pragma once

namespace acre {

/// While it exists, only its thread runs RPC functions, continuations and coroutines. Other threads
/// serve puts, gets and atomics; their waits need this thread in progress() or a wait. Not
/// restricted: then() on a ready future, promises that the user fulfils, code already begun. May be
/// nested. Destroyed by its thread, before the job.
class user_code_thread {
 public:
  /// @throws acre::error if another thread has one, or outside a job
  user_code_thread();
  ~user_code_thread();
  user_code_thread(const user_code_thread&) = delete;
  user_code_thread& operator=(const user_code_thread&) = delete;
};

}  // namespace acre

namespace acre::runtime {

/// Called at the job's end.
void hold_user_code() noexcept;

}  // namespace acre::runtime
