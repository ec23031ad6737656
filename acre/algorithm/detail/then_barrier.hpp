// SPDX-License-Identifier: BSD-3-Clause
// Runs a function before, or between, barriers.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <exception>

namespace acre::algorithm {

/// Reaches the barrier also after an exception.
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

template <class Part>
void between_barriers(const team& members, const site& where, Part&& part) {
  members.barrier(where);
  then_barrier(members, where, part);
}

}  // namespace acre::algorithm
