// SPDX-License-Identifier: BSD-3-Clause
// How the kernels are timed, judged and reported.
#pragma once

#include <acre/global/team/team.hpp>

#include <chrono>
#include <cstdint>

namespace acre::prk {

/// Seconds of one iteration, on the slowest rank; the first one is not counted. Collective.
template <class F>
[[nodiscard]] double seconds_of_one(unsigned iterations, F&& iterate) {
  iterate();
  barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < iterations; ++i) iterate();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return world().allreduce(spent.count(), op::max) / iterations;
}

/// @throws acre::error when a number is less than there are ranks
void require_for_each_rank(const char* what, std::uint64_t number);

/// Says that the solution is right.
/// @param found  a sum over all ranks
/// @throws acre::error on all ranks when it differs from what is expected by more than rounding
void require_sum(const char* what, double found, double expected);

/// What all of one kind amount to, in millions.
void print_rate(const char* unit, double millions, double seconds);

}  // namespace acre::prk
