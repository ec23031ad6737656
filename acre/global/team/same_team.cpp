// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/same_team.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::global {

void check_same_team(const char* call, const char* what, const team& one, const char* other_what,
                     const team& other, const site& where, const char* advice) {
  if (one == other) return;
  throw error(
      call,
      std::string(what) + " belongs to another team than " + other_what + describe_place(where),
      advice);
}

}  // namespace acre::global
