// SPDX-License-Identifier: BSD-3-Clause
// Steps that fail on all members if they fail on one.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>

#include <exception>

namespace acre::global {

/// True if `here` is true on any member. Collective. Cost: 1 allreduce.
[[nodiscard]] bool has_failed_anywhere(const team& members, bool here, const site& where);

/// Also compares the calls. @throws acre::error on all members if they differ
[[nodiscard]] bool has_failed_anywhere(const team& members, bool here, const common_call& mine);

[[noreturn]] void throw_failed_elsewhere(const char* call, const site& where,
                                         const char* what = "it");

/// Runs part() on all members; returns if all succeeded. They may then read each other's results.
/// Collective. Cost: 1 allreduce.
/// @throws part()'s exception; acre::error on other members
template <class Part>
void succeed_together(const team& members, const char* call, const site& where, Part&& part,
                      const char* what = "it") {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool has_failed = has_failed_anywhere(members, failure != nullptr, where);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (has_failed) throw_failed_elsewhere(call, where, what);
}

/// As above; compares the calls after part(), which must not depend on other members.
template <class Part>
void succeed_together(const team& members, const common_call& mine, Part&& part) {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool has_failed = has_failed_anywhere(members, failure != nullptr, mine);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (has_failed) throw_failed_elsewhere(mine.name(), mine.where());
}

}  // namespace acre::global
