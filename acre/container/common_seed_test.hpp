// SPDX-License-Identifier: BSD-3-Clause
// Seed and number of steps of randomised tests.
#pragma once

#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <random>

namespace acre::testing {

inline std::uint64_t common_seed() {
  return world().broadcast(std::uint64_t{std::random_device{}()}, 0);
}

inline int steps(int in_a_node) { return runtime::node_count() == 1 ? in_a_node : in_a_node / 20; }

}  // namespace acre::testing
