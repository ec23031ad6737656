// SPDX-License-Identifier: BSD-3-Clause
// Buffers that elements are read into, and an exception that ends them before the elements are
// there.
#pragma once

#include <acre/global/memory/put_get.hpp>

#include <exception>

namespace acre::global {

/// Declared after buffers that are read into: an exception waits for pending reads before they end.
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
