// SPDX-License-Identifier: BSD-3-Clause
// Error messages and exit statuses of subcommands.
#pragma once

#include <acre/base/error.hpp>

#include <cstdio>

namespace acre::tool {

inline constexpr int usage_error = 2;
/// Exit status for a program that cannot be started, as in shells.
inline constexpr int not_found = 127;

[[nodiscard]] inline int complain(const error& reason, int status) {
  std::fprintf(stderr, "acre: %s: %s\n", reason.call().c_str(),
               reason.problem_and_advice().c_str());
  return status;
}

}  // namespace acre::tool
