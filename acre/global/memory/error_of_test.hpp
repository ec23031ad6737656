// SPDX-License-Identifier: BSD-3-Clause
// Error text of a call, for tests.
#pragma once

#include <acre/base/error.hpp>

#include <string>

namespace acre::global_test {

template <class Call>
[[nodiscard]] std::string error_of(Call&& call) {
  try {
    call();
  } catch (const acre::error& failed) {
    return failed.call() + ": " + failed.problem();
  }
  return "no error";
}

}  // namespace acre::global_test
