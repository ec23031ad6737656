// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/matrix.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::arrays {

void check_members(layout::member_t of_pattern, const team& members, const site& where) {
  if (of_pattern == members.size()) return;
  throw error("matrix",
              "the pattern is for " + std::to_string(of_pattern) + " members, but the team has " +
                  std::to_string(members.size()) + describe_place(where),
              "make the pattern for team.size() members");
}

}  // namespace acre::arrays
