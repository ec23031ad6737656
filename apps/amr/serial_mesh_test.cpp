// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/serial_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace acre::amr {
namespace {

problem small() {
  problem given;
  given.velocity = {1, -0.75, -0.5};
  given.centre = {0.3, 0.4, 0.7};
  given.radius = 0.15;
  return given;
}

/// Neighbours of leaves are leaves and agree, so levels differ by at most one.
void expect_neighbours_to_agree(const serial_mesh& mesh) {
  for (const auto& [key, each] : mesh.nodes()) {
    if (!each.is_leaf()) continue;
    for (const face f : faces) {
      for (const location& beyond : each.neighbours(f)) {
        const auto other = mesh.nodes().find(beyond.key());
        ASSERT_NE(other, mesh.nodes().end());
        ASSERT_TRUE(other->second.is_leaf());
        const auto back = other->second.neighbours(opposite(f));
        ASSERT_NE(std::ranges::find(back, each.where()), back.end());
      }
    }
  }
}

void expect_a_whole_tree(const serial_mesh& mesh) {
  double volume = 0;
  for (const auto& [key, each] : mesh.nodes()) {
    if (each.is_leaf()) volume += std::pow(each.where().side(), 3);
    ASSERT_TRUE(key == 1 || mesh.nodes().contains(key / children_of_node));
    for (unsigned child = 0; child < children_of_node; ++child) {
      ASSERT_EQ(mesh.nodes().contains(key * children_of_node + child), !each.is_leaf());
    }
  }
  EXPECT_EQ(volume, 1);
}

TEST(Mesh, ConservesMassToRoundingWhileItChanges) {
  serial_mesh mesh(small());
  const totals first = mesh.measure();
  std::uint64_t fewest = first.leaves;
  std::uint64_t most = first.leaves;
  for (int i = 0; i < 12; ++i) {
    mesh.advance(4);
    const totals now = mesh.measure();
    EXPECT_NEAR(now.mass.value() / first.mass.value(), 1, 1e-14);
    fewest = std::min(fewest, now.leaves);
    most = std::max(most, now.leaves);
  }
  EXPECT_LT(fewest, most);
}

TEST(Mesh, KeepsNeighboursWithinALevel) {
  serial_mesh mesh(small());
  for (int i = 0; i < 8; ++i) {
    expect_neighbours_to_agree(mesh);
    expect_a_whole_tree(mesh);
    mesh.advance(4);
  }
  std::uint32_t deepest = 0;
  std::uint32_t highest = deepest_level;
  for (const auto& [key, each] : mesh.nodes()) {
    if (!each.is_leaf()) continue;
    deepest = std::max(deepest, each.where().level);
    highest = std::min(highest, each.where().level);
  }
  EXPECT_EQ(deepest, small().finest);
  EXPECT_EQ(highest, small().coarsest);
}

TEST(Mesh, CostsMoreWhereNeighboursAreFiner) {
  const serial_mesh mesh(small());
  double cost = 0;
  for (const auto& [key, each] : mesh.nodes()) cost += each.cost();
  EXPECT_GT(cost, static_cast<double>(mesh.measure().leaves));
}

TEST(Mesh, FollowsTheBlobWithAnErrorOfTheSecondOrder) {
  const auto error_with_levels_added = [](std::uint32_t levels) {
    problem given;
    given.radius = 0.4;
    given.finest = 2 + levels;
    given.coarsest = 1 + levels;
    // Falls like the error.
    given.refine_above /= 1U << (2 * levels);
    given.coarsen_below /= 1U << (2 * levels);
    serial_mesh mesh(given);
    while (mesh.time() < 0.08) mesh.advance(1);
    return mesh.measure().error.value();
  };
  const double order = std::log2(error_with_levels_added(0) / error_with_levels_added(1));
  EXPECT_NEAR(order, 2, 0.1);
}

TEST(Mesh, KeepsMassWhenItIsRefinedAndMergedAgain) {
  problem given;
  given.finest = 2;
  // Levels would oscillate: refined cells have smaller jumps.
  given.refine_above = 0.3;
  given.coarsen_below = 0.29;
  serial_mesh mesh(given);
  const totals refined = mesh.measure();
  mesh.regrid();
  const totals merged = mesh.measure();
  mesh.regrid();
  const totals again = mesh.measure();
  EXPECT_EQ(refined.leaves, 64U);
  EXPECT_EQ(merged.leaves, 8U);
  EXPECT_EQ(again.leaves, 64U);
  EXPECT_NEAR(merged.mass.value() / refined.mass.value(), 1, 1e-15);
  EXPECT_NEAR(again.mass.value() / refined.mass.value(), 1, 1e-15);
}

TEST(Mesh, IsTheSameToTheLastBitInAnyOrderOfLetters) {
  serial_mesh mesh(small());
  mesh.advance(16);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    serial_mesh other(small(), seed);
    other.advance(16);
    EXPECT_EQ(other.measure(), mesh.measure()) << "seed " << seed;
    ASSERT_EQ(other.nodes().size(), mesh.nodes().size());
    for (const auto& [key, each] : mesh.nodes()) {
      ASSERT_EQ(other.nodes().at(key).cells(), each.cells()) << "node " << key << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace acre::amr
