// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/floor_plan.hpp>

#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace acre::machines {
namespace {

using topology::allocation;

class FloorPlanOf : public testing::TestWithParam<const char*> {};

TEST_P(FloorPlanOf, GivesEachNodeASquareOfItsOwnWithinThePage) {
  const auto net = topology::make_network(GetParam());
  const allocation job = allocation::whole(*net, 1);
  const floor_plan plan = plan_floor({*net, job}, 500, 400);
  EXPECT_LE(plan.width, 500 + 1e-6);
  EXPECT_LE(plan.height, 400 + 1e-6);
  for (const box& node : plan.nodes) {
    EXPECT_GT(node.width, 0);
    EXPECT_GE(node.x, 0);
    EXPECT_GE(node.y, 0);
    EXPECT_LE(node.x + node.width, plan.width + 1e-6);
    EXPECT_LE(node.y + node.height, plan.height + 1e-6);
    for (const box& other : plan.nodes) {
      if (&node == &other) continue;
      EXPECT_TRUE(std::abs(node.x - other.x) > 0.999 * node.width ||
                  std::abs(node.y - other.y) > 0.999 * node.height);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Networks, FloorPlanOf,
                         testing::Values("torus:4x4x3", "mesh:7x3", "torus:13", "hypercube:5",
                                         "torus:2x3x2*2", "dragonfly:3x2x4x2", "tree:3x2x4",
                                         "fat-tree:1;5;1;1"));

TEST(FloorPlan, PutsNeighboursOfATorusBesideEachOther) {
  const auto net = topology::make_network("torus:4x3x2");
  const allocation job = allocation::whole(*net, 1);
  const floor_plan plan = plan_floor({*net, job}, 500, 400);
  const double side = plan.nodes[0].width;
  EXPECT_NEAR(plan.nodes[1].x - plan.nodes[0].x, side, 1e-6);
  EXPECT_NEAR(plan.nodes[4].y - plan.nodes[0].y, side, 1e-6);
  ASSERT_EQ(plan.areas.size(), 2U);
  EXPECT_EQ(plan.areas[1].label, "z = 1");
}

}  // namespace
}  // namespace acre::machines
