// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/cray_placement.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace acre::machines {
namespace {

std::string wrong(std::string text) { return wrong_with(read_cray_table, std::move(text)); }

topology::node_t number_of(const described_network& machine, std::string_view name) {
  const auto found = std::ranges::find(machine.node_names, name);
  EXPECT_NE(found, machine.node_names.end()) << name;
  return static_cast<topology::node_t>(found - machine.node_names.begin());
}

TEST(CrayPlace, IsReadFromItsName) {
  const auto place = as_cray_place("c11-2c0s15n3");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->column, 11U);
  EXPECT_EQ(place->row, 2U);
  EXPECT_EQ(place->chassis, 0U);
  EXPECT_EQ(place->slot, 15U);
  EXPECT_EQ(place->node, 3U);
  for (const char* none : {"", "c1-2c0s15", "c1-2c0s15n3x", "nid00012", "c-1c0s0n0", "c1-2c0s1n"}) {
    EXPECT_FALSE(as_cray_place(none)) << none;
  }
}

TEST(CrayTable, MakesTheSmallestDragonflyOfPairsOfCabinets) {
  const auto machine =
      read_cray_table(source_text("table",
                                  "nid00012 c0-0c0s3n0\nnid00013 c0-0c0s3n1\nnid00400 c1-0c2s0n0\n"
                                  "nid00800 c2-0c0s0n2\n"));
  EXPECT_EQ(machine.network->name(), "dragonfly:2x6x4x3@10,5.25,15.75,18.8");
  ASSERT_EQ(machine.node_names.size(), machine.network->nodes());
  const topology::network& net = *machine.network;
  const topology::node_t a = number_of(machine, "nid00012");
  const topology::node_t b = number_of(machine, "nid00400");
  EXPECT_EQ(net.distance(a, number_of(machine, "nid00013")), 2U);
  EXPECT_EQ(net.group(a, 0), net.group(b, 0)) << "two cabinets are a group";
  EXPECT_NE(net.group(a, 1), net.group(b, 1));
  EXPECT_NE(net.group(a, 0), net.group(number_of(machine, "nid00800"), 0));
}

TEST(CrayTable, ReadsWhatXtprocadminPrints) {
  const auto machine =
      read_cray_table(source_text("table",
                                  "   NID    (HEX)    NODENAME     TYPE    STATUS        MODE\n"
                                  "     1      0x1  c0-0c0s0n1  service        up       batch\n"
                                  "    12      0xc  c0-0c0s3n0  compute        up       batch\n"));
  EXPECT_EQ(number_of(machine, "nid00001"), 1U);
  EXPECT_EQ(number_of(machine, "nid00012"), 6U);
}

TEST(CrayTable, NamesTheLineThatIsWrong) {
  EXPECT_NE(
      wrong("nid1 c0-0c0s3n0\nnid2 c0-0c0s3n0\n").find("file:2: duplicate place 'c0-0c0s3n0'"),
      std::string::npos);
  EXPECT_NE(wrong("nid1 c0-0c0s3n0\nnid1 c0-0c0s3n1\n").find("file:2: duplicate node 'nid1'"),
            std::string::npos);
  EXPECT_NE(wrong("nid1 c0-0c0s3n0\nnid2 c0-0c\n").find("file:2: no place"), std::string::npos);
  EXPECT_NE(wrong("nid1 c0-0c3s0n0\n").find("file:1: 'c0-0c3s0n0' is not a valid place"),
            std::string::npos);
  EXPECT_NE(wrong("nid1 c99999-0c0s0n0\n"), "no error");
  EXPECT_NE(wrong("nid1 c0-0c0s3n0\nnid2 c00-0c0s3n0\n").find("duplicate place: another line"),
            std::string::npos);
  EXPECT_NE(wrong("NID\n"), "no error");
}

}  // namespace
}  // namespace acre::machines
