// SPDX-License-Identifier: BSD-3-Clause
// Error text of a call, for tests.
#pragma once

#include <acre/base/error.hpp>

#include <string>

namespace acre::base_test {

[[nodiscard]] std::string failure_of(auto&& call) {
  try {
    call();
  } catch (const acre::error& failed) {
    return failed.problem() + "; " + failed.advice();
  }
  return {};
}

[[nodiscard]] std::string problem_of(auto&& call) {
  try {
    call();
  } catch (const acre::error& failed) {
    return failed.problem();
  }
  return "no error";
}

}  // namespace acre::base_test
