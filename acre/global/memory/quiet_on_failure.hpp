// SPDX-License-Identifier: BSD-3-Clause
// Keeps buffers alive during pending reads if an exception unwinds.
#pragma once

#include <acre/global/memory/put_get.hpp>

#include <exception>

namespace acre::global {

/// Declare an object of this class after the buffers: its destructor then waits for the reads.
class quiet_on_failure {
 public:
  quiet_on_failure() = default;
  quiet_on_failure(const quiet_on_failure&) = delete;
  ~quiet_on_failure() {
    if (std::uncaught_exceptions() == before_) return;
    try {
      quiet();
    } catch (...) {  // NOLINT(bugprone-empty-catch): what passes already says what is wrong
    }
  }

 private:
  int before_ = std::uncaught_exceptions();
};

}  // namespace acre::global
