// SPDX-License-Identifier: BSD-3-Clause
// Reports errors of Acre that escape from C routines, whose fast paths have no exception handlers.
#pragma once

#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <exception>
#include <string>

namespace acre {

/// Installs a terminate handler: an uncaught acre::error ends the job with its text after
/// `Interface`; others reach the previous handler.
template <const auto& Interface>
void end_job_on_uncaught_error() {
  static std::terminate_handler before = nullptr;
  if (before != nullptr) return;
  before = std::set_terminate([] {
    try {
      if (const auto current = std::current_exception()) std::rethrow_exception(current);
    } catch (const error& failure) {
      abort_job(
          1, std::string(Interface) + ": " + failure.call() + ": " + failure.problem_and_advice());
    } catch (...) {
    }
    before();
  });
}

}  // namespace acre
