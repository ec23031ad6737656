// SPDX-License-Identifier: BSD-3-Clause
// Randomised tests on many ranks: their seed, and their number of steps.
#pragma once

#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <random>

namespace acre::testing {

/// The same on all ranks, printed when a test fails.
inline std::uint64_t common_seed() {
  return world().broadcast(std::uint64_t{std::random_device{}()}, 0);
}

/// Fewer steps where each is a round trip.
inline int steps(int in_a_node) { return runtime::node_count() == 1 ? in_a_node : in_a_node / 20; }

}  // namespace acre::testing
