// SPDX-License-Identifier: BSD-3-Clause
// Durations on command lines.
#pragma once

#include <acre/base/parse_number.hpp>

#include <string>

namespace acre::tool {

[[nodiscard]] inline std::string problem_of_duration(const std::string& text) {
  const auto number = base::parse_number<double>(text);
  const bool is_valid = number && *number >= 0.01 && *number <= 1e7;
  return is_valid ? "" : text + " is not a number of seconds from 0.01 to 10000000";
}

}  // namespace acre::tool
