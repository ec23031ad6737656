// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/link_kinds.hpp>

#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <string>

namespace acre::machines {
namespace {

std::string kinds_of(const char* network) {
  std::string text;
  for (const link_kind& each : link_kinds(*topology::make_network(network))) {
    text += (text.empty() ? "" : ", ") + each.name + " " + std::to_string(each.links.size());
  }
  return text;
}

TEST(LinkKinds, AreTheDimensionsOfATorus) {
  EXPECT_EQ(kinds_of("torus:4x3x2"), "x 48, y 48, z 48");
  EXPECT_EQ(kinds_of("torus:3x3x3x3"), "x 162, y 162, z 162, dimension 3 162");
}

TEST(LinkKinds, LeaveOutLinksThatAMeshHasNot) {
  EXPECT_EQ(kinds_of("mesh:4x3"), "x 18, y 16");
  EXPECT_EQ(kinds_of("hypercube:3"), "x 8, y 8, z 8");
  EXPECT_EQ(kinds_of("torus:4x1"), "x 8");
}

TEST(LinkKinds, AreTheLevelsOfATree) {
  EXPECT_EQ(kinds_of("tree:2x4"),
            "node up 8, node down 8, level 1 switch up 2, "
            "level 1 switch down 2");
}

TEST(LinkKinds, AreThePartsOfADragonfly) {
  EXPECT_EQ(kinds_of("dragonfly:2x2x2x2"),
            "node up 16, node down 16, router to blade 16, router to chassis 16, "
            "group to group 4");
}

TEST(LinkKinds, AreTheEndsOfCables) {
  EXPECT_EQ(kind_of_link("node 3 to switch 14"), "node to switch");
  EXPECT_EQ(kind_of_link(""), "");
  EXPECT_EQ(kind_of_link("(1,2) "), "(1,2)");
}

}  // namespace
}  // namespace acre::machines
