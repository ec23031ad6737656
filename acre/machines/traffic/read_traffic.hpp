// SPDX-License-Identifier: BSD-3-Clause
// Error text of a traffic reader, for tests.
#pragma once

#include <acre/base/error.hpp>
#include <acre/mapping/communication.hpp>

#include <string>
#include <vector>

namespace acre::machines {

inline std::vector<mapping::traffic::flow> row(const mapping::communication& what,
                                               mapping::rank_t rank) {
  const auto flows = what.traffic.from(rank);
  return {flows.begin(), flows.end()};
}

/// Problem without advice; "none" without an error.
template <class Read>
std::string problem_with(Read&& read, const std::string& text, const char* name) {
  try {
    static_cast<void>(read(text, name));
  } catch (const error& refused) {
    return refused.problem();
  }
  return "none";
}

}  // namespace acre::machines
