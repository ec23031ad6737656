// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/distributor.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::container {

void throw_no_such_member(const char* call, rank_t member, rank_t members) {
  throw error(call,
              "member " + std::to_string(member) + " does not exist in a team of " +
                  std::to_string(members),
              "members are numbered 0 to size() - 1 in the team");
}

}  // namespace acre::container
