// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/succeed_together.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <string>

namespace acre::global {

bool has_failed_anywhere(const team& members, bool here, const site& where) {
  return members.allreduce(here, op::logical_or, where);
}

bool has_failed_anywhere(const team& members, bool here, const common_call& mine) {
  const bool has_failed = require_same_call(members, mine, here ? 1 : 0) != 0;
  runtime::rethrow_lost_failure();
  return has_failed;
}

void throw_failed_elsewhere(const char* call, const site& where, const char* what) {
  throw error(call, std::string(what) + " failed on another member" + describe_place(where),
              "see the exception of that member");
}

}  // namespace acre::global
