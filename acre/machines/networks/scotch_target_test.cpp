// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/scotch_target.hpp>

#include <acre/machines/networks/tested_reader_test.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

constexpr tested_reader read(read_scotch_target, "machine.tgt");

TEST(ScotchTarget, MakesTheNetworksThatScotchHasInCommonWithUs) {
  EXPECT_EQ(read("mesh2D\n8 4\n").network->name(), "mesh:8x4");
  EXPECT_EQ(read("mesh3D 8 4 2").network->name(), "mesh:8x4x2");
  EXPECT_EQ(read("meshXD\n4 2 3 4 5").network->name(), "mesh:2x3x4x5");
  EXPECT_EQ(read("torus2D 8 4").network->name(), "torus:8x4");
  EXPECT_EQ(read("torus3D 8 8 6").network->name(), "torus:8x8x6");
  EXPECT_EQ(read("torusXD\n3 3 4 2 ").network->name(), "torus:3x4x2");
  EXPECT_EQ(read("hcub 4").network->nodes(), 16U);
  EXPECT_EQ(read("cmplt 16").network->name(), "fat-tree:1;16;1;1");
  EXPECT_EQ(read("tleaf\n2 2 5 3 1").network->name(), "fat-tree:2;3,2;1,1;1,1@10,2");
}

TEST(ScotchTarget, FindsCablesFromDistances) {
  const auto machine = read("deco 0\n4 7\n0 1 4\n1 1 5\n2 1 6\n3 1 7\n1\n3 2\n4 3 1\n");
  const topology::network& net = *machine.network;
  EXPECT_EQ(net.links(), 6U);
  EXPECT_EQ(net.distance(0, 3), 3U);
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 3), topology::usual_bandwidth / 2);
}

TEST(ScotchTarget, NamesTheLineThatIsWrong) {
  read.expect_wrong({{"torus3D\n8 8\n", "file:2: end of file, but an extent is expected"},
                     {"torus3D 8 8 x", "file:1: expected an extent, found 'x'"},
                     {"torus2D 8 8\n8", "file:2: expected the end"},
                     {"torus2D 99999999999 1", "expected an extent"},
                     {"torus2D 2048 2048", "more than 2^20"},
                     {"tleaf 1 4 0", "a cost is zero"},
                     {"deco 1 1 1", "kind of this decomposition is not 0"},
                     {"deco 0 100000 100000", "more than 512"},
                     {"deco 0 2 3 0 1 1 0 1 2 1", "too large or a duplicate"},
                     {"deco 0 2 3 0 1 1 1 1 2 0", "a distance is zero"}});
  for (const char* text :
       {"", "cmpltw 2 1 1", "hcub 90", "torusXD 0", "tleaf 0", "cmplt 0", "meshXD 4294967295 1"}) {
    EXPECT_NE(read.wrong(text), "no error") << text;
  }
}

}  // namespace
}  // namespace acre::machines
