// SPDX-License-Identifier: BSD-3-Clause
// Agrees on the result of a check.
#pragma once

#include <acre/global/team/team.hpp>

#include <string>

namespace acre::graph {

/// The problem of the first member that has one, or empty. Collective. Cost: 1 allgather.
[[nodiscard]] inline std::string first_problem(const team& members, const std::string& own) {
  for (const std::string& each : members.allgather(own)) {
    if (!each.empty()) return each;
  }
  return {};
}

}  // namespace acre::graph
