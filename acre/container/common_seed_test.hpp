// Seeds of randomised tests.
#pragma once

#include <acre/global/team/team.hpp>

#include <cstdint>
#include <random>

namespace acre::container_test {

/// A new seed, the same on all ranks; print it when a test fails. Collective.
[[nodiscard]] inline std::uint64_t common_seed() {
  return acre::world().broadcast(std::uint64_t{std::random_device{}()}, 0);
}

}  // namespace acre::container_test
