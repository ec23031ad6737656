// SPDX-License-Identifier: BSD-3-Clause
// Errors that leave a routine of C: there is nobody to catch them, and nobody who would say which
// job they end.
//
// The fast paths of the C interfaces have no room for handlers; when an exception comes out of
// their cold parts, the search for its handler ends at the frames of C, and with it the program.
#pragma once

#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <exception>
#include <string>

namespace acre {

/// From now on an error of Acre that nobody catches ends the job with its text, after the name of
/// `Interface`. Other exceptions go where they went.
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
