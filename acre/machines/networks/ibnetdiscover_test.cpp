// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/ibnetdiscover.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using names = std::vector<std::string>;

const std::string fabric = R"(#
# Topology file: generated on Mon Jan  1 00:00:00 2024
#
# Initiated from node 000000000000a000 port 000000000000a001

vendid=0x2c9
devid=0xcb20
sysimgguid=0xe0
switchguid=0xe0(e0)
Switch	4 "S-00e0"		# "spine;SB7700" enhanced port 0 lid 1 lmc 0
[1]	"S-00e1"[3]		# "leaf1" lid 2 4xEDR
[2]	"S-00e1"[4]		# "leaf1" lid 2 4xEDR
[3]	"S-00e2"[3]		# "leaf2" lid 3 4xEDR

switchguid=0xe1(e1)
Switch	4 "S-00e1"		# "leaf1" enhanced port 0 lid 2 lmc 0
[1]	"H-00a0"[1](a1) 		# "node07 HCA-1" lid 4 4xHDR
[2]	"H-00b0"[1](b1) 		# "node08 HCA-1" lid 5 2xHDR
[3]	"S-00e0"[1]		# "spine;SB7700" lid 1 4xEDR
[4]	"S-00e0"[2]		# "spine;SB7700" lid 1 4xEDR

switchguid=0xe2(e2)
Switch	4 "S-00e2"		# "leaf2" enhanced port 0 lid 3 lmc 0
[1]	"H-00c0"[1](c1) 		# "node09 HCA-1" lid 6 4xFDR10
[2]	"H-00f0"[1](f1) 		# "Mellanox Technologies Aggregation Node" lid 9 4xHDR
[3]	"S-00e0"[3]		# "spine;SB7700" lid 1 4xEDR

vendid=0x2c9
caguid=0xa0
Ca	1 "H-00a0"		# "node07 HCA-1"
[1](a1) 	"S-00e1"[1]		# lid 4 lmc 0 "leaf1" lid 2 4xHDR

caguid=0xb0
Ca	1 "H-00b0"		# "node08 HCA-1"
[1](b1) 	"S-00e1"[2]		# lid 5 lmc 0 "leaf1" lid 2 2xHDR

caguid=0xc0
Ca	1 "H-00c0"		# "node09 HCA-1"
[1](c1) 	"S-00e2"[1]		# lid 6 lmc 0 "leaf2" lid 3 4xFDR10

caguid=0xf0
Ca	1 "H-00f0"		# "Mellanox Technologies Aggregation Node"
[1](f1) 	"S-00e2"[2]		# lid 9 lmc 0 "leaf2" lid 3 4xHDR
)";

std::string wrong(std::string text) { return wrong_with(read_ibnetdiscover, std::move(text)); }

std::string with(std::string from, std::string to) {
  std::string text = fabric;
  return text.replace(text.find(from), from.size(), to);
}

TEST(Ibnetdiscover, FindsHostsSwitchesAndCables) {
  const auto machine = read_ibnetdiscover(source_text("fabric", fabric));
  const topology::network& net = *machine.network;
  EXPECT_EQ(machine.node_names, (names{"node07", "node08", "node09"}));
  EXPECT_EQ(net.links(), 2U * (3 + 3));
  EXPECT_EQ(net.distance(0, 1), 2U);
  EXPECT_EQ(net.distance(0, 2), 4U);
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 1), 12.5e9) << "2xHDR";
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 2), 5e9) << "4xFDR10";
  ASSERT_EQ(net.levels(), 1U);
  EXPECT_EQ(net.group(0, 0), net.group(1, 0));
  EXPECT_NE(net.group(0, 0), net.group(2, 0));
}

std::string with_all(const std::string& from, const std::string& to) {
  std::string text = fabric;
  for (std::size_t at; (at = text.find(from)) != std::string::npos;) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(Ibnetdiscover, JoinsTheAdaptersOfAHost) {
  for (const char* other :
       {"node07 HCA-2", "node07 mlx5_0", "node07 mlx5_0 rail 2", "qib0 node07"}) {
    const auto machine = read_ibnetdiscover(source_text("fabric", with_all("node08 HCA-1", other)));
    EXPECT_EQ(machine.node_names, (names{"node07", "node09"})) << other;
    EXPECT_EQ(machine.network->links(), 2U * (3 + 3)) << other;
    ASSERT_EQ(machine.warnings.size(), 1U);
    EXPECT_TRUE(machine.warnings[0].starts_with("fabric:")) << machine.warnings[0];
    EXPECT_NE(machine.warnings[0].find("is a further adapter of node 'node07'"), std::string::npos);
  }
}

TEST(Ibnetdiscover, JoinsTheRailsOfAHostWhoseFirmwareSaysItsNameAlone) {
  std::string text = with_all("node08 HCA-1", "nodeXX");
  for (std::size_t at; (at = text.find("node07 HCA-1")) != std::string::npos;) {
    text.replace(at, 12, "nodeXX");
  }
  EXPECT_EQ(read_ibnetdiscover(source_text("fabric", text)).node_names,
            (names{"nodeXX", "node09"}));
}

TEST(Ibnetdiscover, CallsTheAdapterThatNamesNoHostByItsGuidAndSaysSo) {
  for (const char* other : {"MT4119 ConnectX5 Mellanox", "localhost mlx5_0", "MT25408 ConnectX"}) {
    const auto machine = read_ibnetdiscover(source_text("fabric", with_all("node08 HCA-1", other)));
    EXPECT_EQ(machine.node_names, (names{"node07", "H-00b0", "node09"})) << other;
    ASSERT_EQ(machine.warnings.size(), 1U);
    EXPECT_NE(machine.warnings[0].find("does not contain a host name: it is treated as a node "
                                       "named by its GUID"),
              std::string::npos)
        << machine.warnings[0];
  }
}

TEST(Ibnetdiscover, TakesAdaptersDescribedAlikeForTwoHosts) {
  const auto machine =
      read_ibnetdiscover(source_text("fabric", with_all("node08 HCA-1", "node07 HCA-1")));
  EXPECT_EQ(machine.node_names, (names{"H-00a0", "H-00b0", "node09"}));
  ASSERT_EQ(machine.warnings.size(), 1U);
  EXPECT_NE(machine.warnings[0].find("the same in one more place"), std::string::npos);
}

TEST(Ibnetdiscover, HasNothingToWarnOfWhereAllIsSaid) {
  EXPECT_TRUE(read_ibnetdiscover(source_text("fabric", fabric)).warnings.empty());
}

TEST(Ibnetdiscover, NamesTheLineThatIsWrong) {
  EXPECT_NE(wrong(fabric.substr(0, fabric.find("caguid=0xc0")))
                .find("file:24: the port leads to 'H-00c0', which is missing in the file"),
            std::string::npos)
      << wrong(fabric.substr(0, fabric.find("caguid=0xc0")));
  EXPECT_NE(wrong(with("\"S-00e2\"[3]", "\"S-00e2")).find("file:13: expected a port"),
            std::string::npos);
  EXPECT_NE(wrong(with("Ca\t1 \"H-00b0\"", "Ca\t1 \"H-00a0\""))
                .find("duplicate device 'H-00a0', first defined in line"),
            std::string::npos);
  EXPECT_NE(wrong(with("4xEDR", "4xWARP")).find("file:11: '4xWARP' is not a known width"),
            std::string::npos);
  EXPECT_NE(wrong(with("Ca\t1 \"H-00a0\"", "Ca\t1")).find("has no GUID"), std::string::npos);
  EXPECT_NE(wrong("[1] \"S-1\"[1]\n").find("precedes the first Switch"), std::string::npos);
  EXPECT_NE(wrong("Ca 1 \"H-1\" # \"a\"\nCa 1 \"H-2\" # \"b\"\n").find("no path connects"),
            std::string::npos);
  EXPECT_NE(wrong(""), "no error");
}

}  // namespace
}  // namespace acre::machines
