// SPDX-License-Identifier: BSD-3-Clause
// A step of a collective call that the next one builds on: where it fails on one member, none goes
// on.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>

#include <exception>

namespace acre::global {

/// Whether it has, on any member. Collective. Cost: 1 allreduce.
[[nodiscard]] bool has_failed_anywhere(const team& members, bool here, const site& where);

/// The same, and whether all members mean the same call: their digests go along.
/// @throws acre::error on all members when they do not
[[nodiscard]] bool has_failed_anywhere(const team& members, bool here, const common_call& mine);

/// @param call  "sort"
/// @param what  what failed there
[[noreturn]] void throw_failed_elsewhere(const char* call, const site& where,
                                         const char* what = "it");

/// part() on all members; then all know that it is done, and that what it wrote may be read.
/// Collective. Cost: 1 allreduce. @throws what part() threw here; acre::error on all others
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

/// The same for a call that all members must mean alike. Where they do not, part() has run on each
/// as that member meant it: it must not depend on what others do.
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
