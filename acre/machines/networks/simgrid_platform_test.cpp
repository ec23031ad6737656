// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/simgrid_platform.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

std::string platform(const std::string& attributes) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
         "  <zone id=\"world\" routing=\"Full\">\n    <cluster id=\"c\" " +
         attributes + "/>\n  </zone>\n</platform>\n";
}
described_network read(const std::string& attributes) {
  return read_simgrid_platform(source_text("platform.xml", platform(attributes)));
}
std::string wrong(const std::string& attributes) {
  return wrong_with(read_simgrid_platform, platform(attributes));
}

TEST(SimgridPlatform, MakesTori) {
  const auto machine = read(
      "prefix=\"node-\" radical=\"0-11\" suffix=\".org\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" "
      "topology=\"TORUS\" topo_parameters=\"3,2,2\"");
  EXPECT_EQ(machine.network->name(), "torus:3x2x2@0.125");
  EXPECT_EQ(machine.node_names.front(), "node-0.org");
  EXPECT_EQ(machine.node_names.back(), "node-11.org");
}

TEST(SimgridPlatform, MakesFatTrees) {
  const auto machine = read(
      "prefix=\"n\" radical=\"0-14,20\" bw=\"8Gbps\" topology=\"FAT_TREE\" "
      "topo_parameters=\"2;4,4;1,2;1,2\"");
  EXPECT_EQ(machine.network->name(), "fat-tree:2;4,4;1,2;1,2@1");
  EXPECT_EQ(machine.node_names[15], "n20");
}

TEST(SimgridPlatform, MakesDragonfliesWhoseCablesAddUp) {
  const auto machine = read(
      "prefix=\"n\" radical=\"0-119\" bw=\"1GBps\" topology=\"DRAGONFLY\" "
      "topo_parameters=\"3,4;4,3;5,1;2\"");
  EXPECT_EQ(machine.network->name(), "dragonfly:3x4x5x2@1,1,3,4");
}

TEST(SimgridPlatform, MakesASwitchOfAFlatCluster) {
  EXPECT_EQ(read("radical=\"0-3\" bw=\"1.25e9\"").network->name(), "fat-tree:1;4;1;1@1.25");
}

TEST(SimgridPlatform, NamesTheLineThatIsWrong) {
  EXPECT_NE(wrong("radical=\"0-10\" bw=\"1GBps\" topology=\"TORUS\" topo_parameters=\"3,2,2\"")
                .find("file:5: radical lists 11 nodes, but torus:3x2x2@1 has 12"),
            std::string::npos);
  EXPECT_NE(wrong("radical=\"0-3\" bw=\"1GBps\" topology=\"DONUT\"").find("file:5: the topology"),
            std::string::npos);
  EXPECT_NE(wrong("radical=\"0-99999999999\" bw=\"1GBps\"").find("not a list of numbers"),
            std::string::npos);
  EXPECT_NE(wrong("radical=\"0-4294967295\" bw=\"1GBps\"").find("more than 2^20"),
            std::string::npos);
  EXPECT_NE(wrong("radical=\"0-3\" bw=\"fast\"").find("not a bandwidth"), std::string::npos);
  EXPECT_NE(wrong("radical=\"0-3\" bw=\"1GBps\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4\"")
                .find("does not have the numbers"),
            std::string::npos);
  EXPECT_NE(
      wrong("radical=\"0-3\" bw=\"1GBps\" topology=\"TORUS\" topo_parameters=\"70000,70000,9\"")
          .find("file:5: the torus is too large: nodes"),
      std::string::npos);
  EXPECT_NE(wrong("bw=\"1GBps\"").find("no radical"), std::string::npos);
  EXPECT_NE(wrong("radical=\"0,0\" bw=\"1GBps\"").find("duplicate node"), std::string::npos);
}

TEST(SimgridPlatform, RefusesWhatIsNoSuchPlatform) {
  const auto of = [](const std::string& text) { return wrong_with(read_simgrid_platform, text); };
  const std::string whole = platform("radical=\"0-3\" bw=\"1GBps\"");
  EXPECT_NE(of(whole.substr(0, whole.size() / 2)).find("the XML is invalid"), std::string::npos);
  EXPECT_NE(of("<platform version=\"4\"/>").find("the platform has no host"), std::string::npos);
  EXPECT_NE(of("<platform><cluster/><cluster/></platform>").find("cluster has no id"),
            std::string::npos);
}

}  // namespace
}  // namespace acre::machines
