// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/distributor.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::container {

void throw_no_such_member(const char* call, rank_t member, rank_t members) {
  throw error(
      call,
      "there is no member " + std::to_string(member) + " in a team of " + std::to_string(members),
      "members are numbered in the team: 0 … size() - 1");
}

}  // namespace acre::container
