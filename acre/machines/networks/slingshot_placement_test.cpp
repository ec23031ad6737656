// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/slingshot_placement.hpp>

#include <acre/machines/networks/tested_reader_test.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using names = std::vector<std::string>;

constexpr tested_reader read(read_slingshot_table, "places");

TEST(SlingshotPlacement, KnowsPlaces) {
  EXPECT_EQ(as_slingshot_place("x1000c3s7b1n0"), (slingshot_place{1000, 3, 7, 1, 0}));
  for (const char* text : {"", "x", "x1000", "x1000c3s7b1", "x1000c3s7b1n", "x1000c3s7b1n0p0",
                           "x1000c3r7b1n0", "c0-0c0s3n0", "x99999999999c0s0b0n0"}) {
    EXPECT_FALSE(as_slingshot_place(text).has_value()) << text;
  }
}

TEST(SlingshotPlacement, TakesACabinetForAGroupAndAChassisForARouter) {
  const auto machine = read(
      "nid001003 x1000c1s0b0n0\n"
      "nid001000 x1000c0s0b0n0\n"
      "nid001001 x1000c0s0b0n1\n"
      "nid001002 x1000c0s0b1n0\n"
      "nid002000 x1001c0s4b0n0\n");
  const topology::network& net = *machine.network;
  EXPECT_EQ(net.name(), "dragonfly:2x1x2x3@25,400,400,100");
  EXPECT_EQ(machine.node_names, (names{"nid001000", "nid001001", "nid001002", "nid001003", "", "",
                                       "nid002000", "", "", "", "", ""}));
  EXPECT_EQ(net.distance(0, 2), 2U) << "one chassis";
  EXPECT_EQ(net.distance(0, 3), 3U) << "one cabinet";
  EXPECT_EQ(net.group(0, 0), net.group(3, 0));
  EXPECT_NE(net.group(0, 0), net.group(6, 0));
  ASSERT_EQ(machine.warnings.size(), 1U);
  EXPECT_TRUE(machine.warnings[0].starts_with(
      "places:1: names of a Cray EX contain the places of nodes, not their cables: a dragonfly is "
      "assumed: a group for each cabinet"));
}

TEST(SlingshotPlacement, ReadsTablesOfTools) {
  const auto machine = read(
      "+---------------+------+\n"
      "| xname         | NID  |\n"
      "| x1000c0s0b0n0 | 1001 |\n"
      "| x1000c0r3b0   |      |\n"
      "| x1000c0s0b1n0 | 1002 |\n");
  EXPECT_EQ(machine.node_names, (names{"nid001001", "nid001002"}));
  ASSERT_EQ(machine.warnings.size(), 2U);
  EXPECT_EQ(machine.warnings[0],
            "places:4: 'x1000c0r3b0' is not the place of a node: it is ignored");
  EXPECT_EQ(read("x1000c0s0b0n0\n").node_names, (names{"x1000c0s0b0n0"}));
  EXPECT_EQ(read("login1 x3000c0s17b0n0\n").node_names, (names{"login1"}));
}

TEST(SlingshotPlacement, NamesTheLineThatIsWrong) {
  read.expect_wrong(
      {{"n1 x1000c0s0b0n0\nn2\n", "file:2: no place of the form"},
       {"nid1 x1c0s0b0n0\nnid2 x1c0s0b0n0\n", "file:2: duplicate place 'x1c0s0b0n0'"},
       {"nid1 x1c0s0b0n0\nnid2 x01c0s0b0n0\n", "file:2: duplicate place: another line"},
       {"nid1 x1c0s0b0n0\nnid1 x1c0s0b0n1\n", "file:2: duplicate node 'nid1'"}});
  EXPECT_NE(read.wrong(""), "no error");
  EXPECT_NE(read.wrong("x1000c0r3b0\n"), "no error");
}

}  // namespace
}  // namespace acre::machines
