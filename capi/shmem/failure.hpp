// SPDX-License-Identifier: BSD-3-Clause
// How a C routine fails: with one line that names it, and the end of the job.
#pragma once

#include "session.hpp"
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <exception>
#include <string>
#include <utility>

namespace acre::shmem {

[[noreturn]] inline void fail(const char* routine, const std::string& problem) {
  abort_job(1, std::string(routine) + ": " + problem);
}

/// Calls what may throw; ends the job when it does. Before shmem_init and after shmem_finalize
/// that is the reason, whatever was thrown.
template <class F>
decltype(auto) or_fail(const char* routine, F&& call) {
  try {
    return std::forward<F>(call)();
  } catch (const error& failure) {
    if (the_session.now != stage::starting) require_session(routine);
    fail(routine, failure.call() + ": " + failure.problem_and_advice());
  } catch (const std::exception& failure) {
    fail(routine, failure.what());
  }
}

}  // namespace acre::shmem
