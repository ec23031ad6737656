// SPDX-License-Identifier: BSD-3-Clause
// How a subcommand says why it does not do what it was told to.
#pragma once

#include <acre/base/error.hpp>

#include <cstdio>

namespace acre::tool {

/// The exit status of a command line that is wrong.
inline constexpr int usage_error = 2;
/// Of a program that cannot be found or started, as shells have it.
inline constexpr int not_found = 127;

/// Writes "acre: trace: PROBLEM", and the advice in a line of its own; the call of the error is the
/// subcommand.
/// @return `status`, to exit with
[[nodiscard]] inline int complain(const error& reason, int status) {
  std::fprintf(stderr, "acre: %s: %s\n", reason.call().c_str(),
               reason.problem_and_advice().c_str());
  return status;
}

}  // namespace acre::tool
