// The mesh on many ranks against the one of a single process: to the last bit, whatever moves.
#include <acre/base/bits.hpp>

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace acre::amr {
namespace {

constexpr std::uint32_t steps = 9;

problem small() {
  problem given;
  given.velocity = {1, -0.75, -0.5};
  given.centre = {0.3, 0.4, 0.7};
  given.radius = 0.15;
  given.finest = 2;
  return given;
}

struct outcome {
  totals all;
  std::uint64_t fingerprint = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
};

const outcome& expected() {
  static const outcome found = [] {
    serial_mesh mesh(small());
    mesh.advance(steps);
    outcome of{mesh.measure(), 0};
    for (const auto& [key, each] : mesh.nodes()) {
      std::uint64_t of_node = key;
      for (const double cell : each.cells()) {
        of_node = mix_bits(of_node ^ std::bit_cast<std::uint64_t>(cell));
      }
      of.fingerprint += mix_bits(of_node);
    }
    return of;
  }();
  return found;
}

outcome outcome_of(const ways& wanted) {
  distributed_mesh mesh(small(), wanted);
  mesh.advance(steps);
  return {mesh.measure(), mesh.fingerprint()};
}

TEST(DistributedMeshSmoke, IsThatOfOneProcessInAllModes) {
  for (const keeping mode : {keeping::stay, keeping::recreate, keeping::migrate}) {
    EXPECT_EQ(outcome_of({.mode = mode}), expected()) << "mode " << static_cast<int>(mode);
  }
}

TEST(DistributedMesh, IsTheSameWhereNodesMoveInTheMiddleOfSteps) {
  for (const keeping mode : {keeping::stay, keeping::recreate, keeping::migrate}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      EXPECT_EQ(outcome_of({.mode = mode, .shake = seed}), expected())
          << "mode " << static_cast<int>(mode) << ", seed " << seed;
    }
  }
}

TEST(DistributedMesh, IsTheSameWithAllBalancers) {
  EXPECT_EQ(outcome_of({.how = greedy_balancer{}}), expected());
  EXPECT_EQ(outcome_of({.how = diffusion_balancer{}}), expected());
}

TEST(DistributedMesh, IsMoreEvenWhereNodesMove) {
  const auto uneven = [] {
    distributed_mesh staying(small(), {.mode = keeping::stay});
    staying.regrid();
    return staying.history().back().after;
  }();
  distributed_mesh moving(small(), {});
  moving.regrid();
  EXPECT_LE(moving.history().back().after, uneven);
  EXPECT_EQ(moving.history().back().moves > 0, size() > 1);
  const std::size_t leaves = moving.leaves().size();
  EXPECT_EQ(leaves > 0, rank() == 0);
}

}  // namespace
}  // namespace acre::amr
