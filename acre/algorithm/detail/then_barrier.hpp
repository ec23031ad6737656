// SPDX-License-Identifier: BSD-3-Clause
// A member's part of a collective algorithm, and the barriers around it.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <exception>

namespace acre::algorithm {

/// part(), and then the barrier, also when it throws.
template <class Part>
void then_barrier(const team& members, const site& where, Part&& part) {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  members.barrier(where);
  if (failure != nullptr) std::rethrow_exception(failure);
}

/// The same of a part that reads what others wrote before.
template <class Part>
void between_barriers(const team& members, const site& where, Part&& part) {
  members.barrier(where);
  then_barrier(members, where, part);
}

}  // namespace acre::algorithm
