// SPDX-License-Identifier: BSD-3-Clause
// The part of a program between shmem_init and shmem_finalize: all routines but a few belong
// there.
#pragma once

#include <thread>

namespace acre::shmem {

enum class stage { before_init, starting, running, finalized, in_child };

/// Written by shmem_init and shmem_finalize, and by fork() in a child of a PE (setup.cpp).
struct session {
  stage now = stage::before_init;
  int thread_level = 0;
  std::thread::id main_thread;  ///< that called shmem_init
};
extern session the_session;

/// Ends the job where `routine` has no place: before shmem_init, or after shmem_finalize. In a
/// child that fork() has made of a PE, ends the child.
[[noreturn]] void fail_outside_session(const char* routine);
inline void require_session(const char* routine) {
  if (the_session.now != stage::running) [[unlikely]] {
    fail_outside_session(routine);
  }
}

}  // namespace acre::shmem
