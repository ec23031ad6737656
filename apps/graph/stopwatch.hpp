// SPDX-License-Identifier: BSD-3-Clause
// Times work on all ranks.
#pragma once

#include <acre/global/team/team.hpp>

#include <chrono>

namespace acre::graph {

/// Seconds from a barrier to the last rank's end. Collective.
template <class Work>
[[nodiscard]] double seconds_of(Work&& work) {
  world().barrier();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return world().allreduce(spent.count(), op::max);
}

}  // namespace acre::graph
