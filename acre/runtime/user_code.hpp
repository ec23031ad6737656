// SPDX-License-Identifier: BSD-3-Clause
// Which thread of a rank runs user code: the functions of RPCs, and what hangs
// on futures.
//
// By default any thread does that calls progress() or waits, so that two of them
// may run user code at once. A program whose functions touch what belongs to one
// thread, without a lock, says so:
//
//     acre::job job;
//     const acre::user_code_thread here;     // RPCs and continuations: in this thread only
//     std::vector<std::thread> workers = …   // these may put, get, send RPCs and wait
//     serve_until(done);                     // calls progress() or waits
//
// The engine has a gate for it, which costs nothing while it is open. The same
// gate holds RPCs back until the job's constructor has done all.
#pragma once

namespace acre {

/// While it exists, the thread that made it alone runs the functions of RPCs, and the
/// continuations and coroutines that go on when Acre fulfils a future. In other threads
/// progress() and waits serve puts, gets and atomics only; what they wait for is brought by this
/// thread. So it has to be in progress() or in a wait while others wait: where it is somewhere
/// else they wait for it.
///
/// Not directed are: a then() on a future that is ready, which calls its function at once; a
/// promise that you fulfil, which runs what hangs on it in your call; and what another thread
/// has already begun when this is made. The thread may make several, one inside the other.
/// It is destroyed by the thread that made it, before the job.
class user_code_thread {
 public:
  /// @throws acre::error when another thread has one, or there is no job
  user_code_thread();
  ~user_code_thread();
  user_code_thread(const user_code_thread&) = delete;
  user_code_thread& operator=(const user_code_thread&) = delete;
};

}  // namespace acre

namespace acre::runtime {

/// From now on this rank runs no function of an RPC any more: its job ends.
void hold_user_code() noexcept;

}  // namespace acre::runtime
