// SPDX-License-Identifier: BSD-3-Clause
// Failure of GASNet calls without a result code: prints one line that names the call, then ends the
// job.
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
