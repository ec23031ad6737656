// SPDX-License-Identifier: BSD-3-Clause
// State of the program between shmem_init and shmem_finalize.
#pragma once

#include <thread>

namespace acre::shmem {

enum class stage { before_init, starting, running, finalized, in_child };

struct session {
  stage now = stage::before_init;
  int thread_level = 0;
  std::thread::id main_thread;
};
extern session the_session;

/// Ends the job: `routine` was called before shmem_init or after shmem_finalize. In a fork() child,
/// ends the child only.
[[noreturn]] void fail_outside_session(const char* routine);
inline void require_session(const char* routine) {
  if (the_session.now != stage::running) [[unlikely]] {
    fail_outside_session(routine);
  }
}

}  // namespace acre::shmem
