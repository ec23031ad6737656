// SPDX-License-Identifier: BSD-3-Clause
// The gas on a mesh that changes.
#include <acre/base/error.hpp>

#include <apps/amr/gas.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace acre::amr {
namespace {

problem star(double gravity) {
  problem given;
  given.kind = physics::euler;
  given.velocity = {1, -0.75, -0.5};
  given.centre = {0.3, 0.4, 0.7};
  given.radius = 0.15;
  given.finest = 2;
  given.gravity = gravity;
  return given;
}

TEST(GasMesh, ConservesMassAndEnergyToRoundingWhileItChanges) {
  problem given = star(0);
  given.pressure = 0.01;
  serial_mesh mesh(given);
  const totals first = mesh.measure();
  std::uint64_t fewest = first.leaves;
  std::uint64_t most = first.leaves;
  for (int i = 0; i < 12; ++i) {
    mesh.advance(4);
    const totals now = mesh.measure();
    EXPECT_NEAR(now.mass.value() / first.mass.value(), 1, 1e-14);
    EXPECT_NEAR(now.energy.value() / first.energy.value(), 1, 1e-14);
    fewest = std::min(fewest, now.leaves);
    most = std::max(most, now.leaves);
  }
  EXPECT_LT(fewest, most);
  EXPECT_LT(mesh.measure().error.value(), 0.003);
}

TEST(GasMesh, ConservesMassToRoundingUnderGravityWhichDrawsTheStarTogether) {
  const auto densest = [](const serial_mesh& mesh) {
    double found = 0;
    for (const auto& [key, each] : mesh.nodes()) {
      if (each.is_leaf())
        found = std::max(
            found, *std::max_element(each.cells().begin(), each.cells().begin() + cells_of_leaf));
    }
    return found;
  };
  serial_mesh free(star(0));
  serial_mesh heavy(star(20));
  const double mass = heavy.measure().mass.value();
  free.advance(4);
  heavy.advance(4);
  EXPECT_NEAR(heavy.measure().mass.value() / mass, 1, 1e-14);
  EXPECT_GT(densest(heavy), densest(free));
}

TEST(GasMesh, KeepsAUniformStreamToRounding) {
  problem given = star(0);
  given.start = gas_start::still;
  serial_mesh mesh(given);
  mesh.advance(8);
  EXPECT_LT(mesh.measure().worst, 1e-14);
}

TEST(GasMesh, IsTheSameToTheLastBitInAnyOrderOfLetters) {
  serial_mesh mesh(star(5));
  mesh.advance(5);
  for (const std::uint64_t seed : {1U}) {
    serial_mesh other(star(5), seed);
    other.advance(5);
    EXPECT_EQ(other.measure(), mesh.measure()) << "seed " << seed;
    for (const auto& [key, each] : mesh.nodes()) {
      ASSERT_EQ(other.nodes().at(key).cells(), each.cells()) << "node " << key << ", seed " << seed;
    }
  }
}

TEST(GasMesh, MayBeOneLeaf) {
  problem given = star(1);
  given.coarsest = 0;
  given.finest = 1;
  given.refine_above = 10;
  serial_mesh mesh(given);
  const totals first = mesh.measure();
  mesh.advance(4);
  EXPECT_EQ(first.leaves, 1U);
  EXPECT_NEAR(mesh.measure().mass.value() / first.mass.value(), 1, 1e-14);
  EXPECT_GT(mesh.time(), 0);
}

TEST(GasMesh, RefusesMassesThatComeTwice) {
  tree_node root(star(1), {});
  masses twice{.child = 3, .stage = 0, .fastest = 1, .below = {}};
  masses again = twice;
  EXPECT_TRUE(root.take(twice).empty());
  EXPECT_THROW(static_cast<void>(root.take(again)), error);
}

}  // namespace
}  // namespace acre::amr
