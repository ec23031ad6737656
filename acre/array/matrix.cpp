// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/matrix.hpp>

#include <acre/base/error.hpp>

#include <cstddef>
#include <string>

namespace acre::arrays {

void check_members(layout::member_t of_pattern, const team& members, const site& where) {
  if (of_pattern == members.size()) return;
  throw error("matrix",
              "the pattern is for " + std::to_string(of_pattern) + " members, but the team has " +
                  std::to_string(members.size()) + describe_place(where),
              "make the pattern for team.size() members");
}

void throw_no_own_block(std::size_t number, std::size_t blocks, const site& where) {
  throw error("matrix::local_block",
              "this rank has " + std::to_string(blocks) + " blocks, but not number " +
                  std::to_string(number) + describe_place(where),
              "own blocks are numbered from 0; each_local_block(f) visits those that exist");
}

}  // namespace acre::arrays
