// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/files_test.hpp>

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/outcome_test.hpp>
#include <gtest/gtest.h>

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

const outcome& expected() {
  static const outcome found = serial_outcome(small(), steps);
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
  EXPECT_EQ(outcome_of({.load = load_kind::counted, .how = curve_balancer{}}), expected());
}

outcome outcome_in_two_parts(std::uint32_t first, const ways& before, const ways& after) {
  const files_test::folder folder;
  {
    distributed_mesh mesh(small(), before);
    mesh.advance(first);
    mesh.save(folder / "mesh");
  }
  distributed_mesh mesh(load_mesh(folder / "mesh"), after);
  EXPECT_EQ(mesh.steps(), first);
  mesh.advance(steps - first);
  return {mesh.measure(), mesh.fingerprint()};
}

TEST(DistributedMesh, GoesOnFromAFileWithTheSameBits) {
  const std::uint32_t between_changes = 6;
  const std::uint32_t before_a_change = 8;
  EXPECT_EQ(outcome_in_two_parts(between_changes, {}, {}), expected());
  EXPECT_EQ(outcome_in_two_parts(before_a_change, {.mode = keeping::stay}, {.shake = 1}),
            expected());
  EXPECT_EQ(outcome_in_two_parts(between_changes, {.shake = 2}, {.mode = keeping::recreate}),
            expected());
}

TEST(DistributedMesh, GoesOnAfterItHasWrittenAFile) {
  const files_test::folder folder;
  distributed_mesh mesh(small(), {});
  for (std::uint32_t step = 0; step < steps; ++step) {
    mesh.advance(1);
    mesh.save(folder / "mesh");
  }
  EXPECT_EQ((outcome{mesh.measure(), mesh.fingerprint()}), expected());
}

TEST(DistributedMesh, IsInAFileAsWhatItDependsOn) {
  const files_test::folder folder;
  problem given = small();
  given.radius = 0.125;
  distributed_mesh mesh(given, {});
  mesh.save(folder / "mesh");
  const saved_mesh found = load_mesh(folder / "mesh");
  EXPECT_EQ(found.given, given);
  EXPECT_EQ(found.steps, 0U);
  EXPECT_EQ(found.nodes.size(), world().allreduce(here().residents().size()));
}

TEST(DistributedMesh, CallsOnlyNodesOfOtherRanks) {
  distributed_mesh mesh(small(), {});
  mesh.advance(steps);
  const letter_counts& mine = mesh.letters();
  EXPECT_GT(world().allreduce(mine.within), 0U);
  EXPECT_EQ(mine.sent > 0, size() > 1);
  EXPECT_EQ(world().allreduce(mine.received), world().allreduce(mine.sent));
}

TEST(DistributedMesh, KnowsWhatEachRankHasDone) {
  distributed_mesh mesh(small(), {.load = load_kind::counted});
  mesh.advance(steps);
  ASSERT_EQ(mesh.periods().size(), 3U);
  const period& last = mesh.periods().back();
  EXPECT_EQ(last.steps, 1U);
  ASSERT_EQ(last.ranks.size(), size());
  double leaves = 0;
  for (const rank_work& each : last.ranks) leaves += each.leaves;
  EXPECT_EQ(leaves, static_cast<double>(mesh.measure().leaves));
  EXPECT_NEAR(imbalance(last, &rank_work::counted), mesh.history().back().after, 1e-9);
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
  std::uint64_t moved = 0;
  for (const auto& [key, node] : here().residents()) moved += node.name().home() != rank() ? 1 : 0;
  EXPECT_EQ(world().allreduce(moved) > 0, size() > 1);
  const std::size_t leaves = moving.leaves().size();
  EXPECT_EQ(leaves > 0, rank() == 0);
}

}  // namespace
}  // namespace acre::amr
