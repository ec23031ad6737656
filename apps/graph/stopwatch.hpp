// SPDX-License-Identifier: BSD-3-Clause
// Times work on all ranks.
#pragma once

#include <acre/global/team/team.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

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

/// Least seconds_of(work) of several; prepare() precedes each. Collective.
template <class Prepare, class Work>
[[nodiscard]] double least_seconds_of(unsigned times, Prepare&& prepare, Work&& work) {
  double least = INFINITY;
  for (unsigned i = 0; i < times; ++i) {
    prepare();
    least = std::min(least, seconds_of(work));
  }
  return least;
}

}  // namespace acre::graph
