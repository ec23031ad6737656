// SPDX-License-Identifier: BSD-3-Clause
// Failure of C routines: prints one line that names the routine, then ends the job.
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

/// Calls `call`; if it throws, ends the job with its message, or that of a missing session.
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
