// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/network_file.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace acre::machines {
namespace {

std::string name_of(std::string text) {
  return read_network(source_text("file", std::move(text))).network->name();
}

std::string wrong(std::string text) {
  return wrong_with([](const source_text& file) { return read_network(file); }, std::move(text));
}

TEST(NetworkFile, IsKnownByWhatItContains) {
  EXPECT_EQ(name_of(" {\"network\": \"torus:4\"}"), "torus:4");
  EXPECT_EQ(name_of("\r\n\n{\"network\": \"torus:4\"}\n"), "torus:4");
  EXPECT_EQ(name_of("\n<?xml version='1.0'?>\n<platform><cluster radical='0-1' bw='10GBps'/>"
                    "</platform>"),
            "fat-tree:1;2;1;1");
  EXPECT_EQ(name_of("AggregatedBlock=b0 Nodes=a,b\nBlockName=b0 Nodes=a,b\n"), "fat-tree:1;2;1;1");
  EXPECT_EQ(name_of("# cluster\n\nSwitchName=s0 Nodes=a,b\n"), "fat-tree:1;2;1;1");
  EXPECT_EQ(name_of("BlockSizes=1\nBlockName=b Nodes=a,b\n"), "fat-tree:1;2;1;1");
  EXPECT_EQ(name_of("RingName=r Nodes=n[1-4]\n"), "torus:4");
  EXPECT_EQ(
      name_of(
          "---\n- topology: a\n  tree:\n    switches:\n      - switch: s\n        nodes: n[1-2]\n"),
      "fat-tree:1;2;1;1");
  EXPECT_EQ(name_of("torus2D 4 4\n"), "torus:4x4");
  EXPECT_EQ(name_of("<platform><cluster radical='0-1' bw='10GBps'/></platform>"),
            "fat-tree:1;2;1;1");
  EXPECT_EQ(name_of("vendid=0x1\nSwitch 2 \"S-1\"\n[1] \"H-1\"[1]\nCa 1 \"H-1\"\n"), "graph");
  EXPECT_EQ(name_of("NID PLACE\n1 c0-0c0s0n0\n"), "dragonfly:1x1x1x1@10,5.25,15.75,18.8");
  EXPECT_EQ(name_of("cpu=0,slot=0,cage=0,cab_position=0,cab_row=0,x_coord=1,y_coord=0,z_coord=0,"
                    "processor_id=4\n"),
            "torus:2x1x1@9.4,4.7,9.4");
  EXPECT_EQ(name_of("nid00012 c0-0c0s3n0 0 1 0\n"), "torus:1x2x1@9.4,4.7,9.4");
  EXPECT_EQ(name_of("nid001000 x1000c0s0b0n0\n"), "dragonfly:1x1x1x1@25,400,400,100");
  EXPECT_EQ(name_of("s0.n0 switch.node\ns0.n1 switch.node\n"), "fat-tree:1;2;1;1");
}

TEST(NetworkFile, MayBeASpecificationInstead) {
  EXPECT_EQ(read_network("torus:8x8x6").network->name(), "torus:8x8x6");
  EXPECT_TRUE(read_network("torus:8x8x6").node_names.empty());
  EXPECT_THROW(static_cast<void>(read_network("torus:8x")), acre::error);
  EXPECT_THROW(static_cast<void>(read_network("/no/such/file")), acre::error);
}

TEST(NetworkFile, IsReadFromTheDisk) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("acre-network-" + std::to_string(getpid()));
  std::ofstream(path) << "hcub 3\n";
  EXPECT_EQ(read_network(path.string()).network->nodes(), 8U);
  std::ofstream(path) << "hcub x\n";
  try {
    static_cast<void>(read_network(path.string()));
    ADD_FAILURE() << "no error";
  } catch (const acre::error& failure) {
    EXPECT_TRUE(failure.problem().starts_with(path.string() + ":1: ")) << failure.problem();
  }
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(read_network(std::filesystem::temp_directory_path().string())),
               acre::error);
}

TEST(NetworkFile, SaysWhatItTakesWhenItIsOfNoKind) {
  EXPECT_NE(wrong("hello world\n").find("file:1: the format of the network description is unknown"),
            std::string::npos);
  EXPECT_NE(wrong("hello world\n").find("Slingshot"), std::string::npos);
  EXPECT_NE(wrong("").find("empty"), std::string::npos);
  EXPECT_NE(wrong("<topology version='2.0'/>").find("inside of a node"), std::string::npos);
}

}  // namespace
}  // namespace acre::machines
