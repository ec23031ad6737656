// SPDX-License-Identifier: BSD-3-Clause
// Timing, verification and report of kernels.
#pragma once

#include <acre/global/team/team.hpp>

#include <chrono>
#include <cstdint>

namespace acre::prk {

/// Seconds per iteration on the slowest rank, after a warm-up. Collective.
template <class F>
[[nodiscard]] double seconds_of_one(unsigned iterations, F&& iterate) {
  iterate();
  barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < iterations; ++i) iterate();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return world().allreduce(spent.count(), op::max) / iterations;
}

/// @throws acre::error if `number` is below the number of ranks
void require_for_each_rank(const char* what, std::uint64_t number);

/// Reports a valid solution.
/// @param found  sum over all ranks
/// @throws acre::error on all ranks if it differs beyond rounding
void require_sum(const char* what, double found, double expected);

void print_rate(const char* unit, double millions, double seconds);

}  // namespace acre::prk
