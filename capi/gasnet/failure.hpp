// SPDX-License-Identifier: BSD-3-Clause
// How a call of GASNet fails that has no result to say so: with one line that names it, and the
// end of the job.
#pragma once

#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace acre::gasnet {

[[noreturn]] inline void fail(const char* call, const std::string& problem) {
  std::fflush(nullptr);
  abort_job(1, std::string(call) + ": " + problem);
}

/// Calls what may throw; ends the job when it does.
template <class F>
decltype(auto) or_fail(const char* call, F&& body) {
  try {
    return std::forward<F>(body)();
  } catch (const error& failure) {
    fail(call, failure.call() + ": " + failure.problem_and_advice());
  } catch (const std::exception& failure) {
    fail(call, failure.what());
  }
}

}  // namespace acre::gasnet
