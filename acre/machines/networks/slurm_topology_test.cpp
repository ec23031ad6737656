// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/slurm_topology.hpp>

#include <acre/machines/networks/tested_reader_test.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using names = std::vector<std::string>;

constexpr tested_reader read(read_slurm_topology, "topology.conf");

void expect_network(const described_network& machine, const std::string& name, const names& nodes) {
  EXPECT_EQ(machine.network->name(), name);
  EXPECT_EQ(machine.node_names, nodes);
}

TEST(SlurmTopology, MakesAFatTreeOfARegularTree) {
  expect_network(read("# two leaves\n"
                      "SwitchName=s0 Nodes=n[00-01] LinkSpeed=25\n"
                      "switchname=s1 nodes=n[02-03] linkspeed=25\n"
                      "SwitchName=top Switches=s[0-1] LinkSpeed=50\n"),
                 "fat-tree:2;2,2;1,1;1,1@25,50", {"n00", "n01", "n02", "n03"});
}

TEST(SlurmTopology, NumbersNodesFromLeftToRightOfTheTree) {
  const auto machine =
      read("SwitchName=top Switches=s1,s0\nSwitchName=s0 Nodes=b,a\nSwitchName=s1 Nodes=d,c\n");
  EXPECT_EQ(machine.node_names, (names{"d", "c", "b", "a"}));
}

TEST(SlurmTopology, MakesAGraphWithLevelsOfAnUnevenTree) {
  const auto machine = read(
      "SwitchName=s0 Nodes=n[0-2]\n"
      "SwitchName=s1 Nodes=n[3-4]\n"
      "SwitchName=s2 Switches=s[0-1] \\\n   Nodes=login\n"
      "SwitchName=s3 Nodes=n5\n"
      "SwitchName=s4 Switches=s[2-3]\n");
  const topology::network& net = *machine.network;
  EXPECT_EQ(machine.node_names, (names{"login", "n0", "n1", "n2", "n3", "n4", "n5"}));
  ASSERT_EQ(net.levels(), 2U);
  EXPECT_EQ(net.group(0, 0), net.group(5, 0));
  EXPECT_NE(net.group(0, 0), net.group(6, 0));
  EXPECT_EQ(net.group(1, 1), net.group(3, 1));
  EXPECT_NE(net.group(1, 1), net.group(4, 1));
  EXPECT_NE(net.group(0, 1), net.group(1, 1));
  EXPECT_EQ(net.distance(1, 2), 2U);
  EXPECT_EQ(net.distance(1, 4), 4U);
  EXPECT_EQ(net.distance(1, 6), 5U);
}

TEST(SlurmTopology, TakesSwitchesBelowSeveralOthers) {
  const auto machine = read(
      "SwitchName=leaf0 Nodes=n[0-3]\nSwitchName=leaf1 Nodes=n[4-7]\n"
      "SwitchName=spine0 Switches=leaf[0-1]\nSwitchName=spine1 Switches=leaf[0-1]\n");
  EXPECT_EQ(machine.network->links(), 2U * (8 + 4));
  EXPECT_EQ(machine.network->distance(0, 7), 4U);
  ASSERT_EQ(machine.network->levels(), 1U);
  EXPECT_EQ(machine.network->group(3, 0), machine.network->group(0, 0));
  EXPECT_NE(machine.network->group(3, 0), machine.network->group(4, 0));
}

TEST(SlurmTopology, PutsBlocksIntoLargerBlocks) {
  const auto machine = read(
      "BlockName=b0 Nodes=n[0-2]\nBlockName=b1 Nodes=n[3-5]\nBlockName=b2 Nodes=n[6-8]\n"
      "BlockName=b3 Nodes=n[9-11]\nBlockSizes=2,4\n");
  EXPECT_EQ(machine.network->name(), "fat-tree:3;3,2,2;1,1,1;1,1,1");
  EXPECT_EQ(read("BlockName=only Nodes=a,b\n").network->name(), "fat-tree:1;2;1;1");
  EXPECT_EQ(read("BlockName=x Nodes=a\nBlockName=y Nodes=b,c\n").network->levels(), 1U);
}

TEST(SlurmTopology, ReadsWhatScontrolShows) {
  const auto tree = read(
      "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=s[0-1] \n"
      "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1] \n"
      "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[2-3] \n");
  expect_network(tree, "fat-tree:2;2,2;1,1;1,1", {"n0", "n1", "n2", "n3"});
  EXPECT_TRUE(tree.warnings.empty());
  const auto blocks = read(
      "BlockName=b0 BlockIndex=0 Nodes=n[0-1] BlockSize=2\n"
      "BlockName=b1 BlockIndex=1 Nodes=n[2-3] BlockSize=2\n"
      "BlockName=b2 BlockIndex=2 Nodes=n[4-5] BlockSize=2\n"
      "BlockName=b3 BlockIndex=3 Nodes=n[6-7] BlockSize=2\n"
      "AggregatedBlock=b[0-1] BlockIndex=4 Nodes=n[0-3] BlockSize=4\n"
      "AggregatedBlock=b[2-3] BlockIndex=5 Nodes=n[4-7] BlockSize=4\n");
  EXPECT_EQ(blocks.network->name(), "fat-tree:3;2,2,2;1,1,1;1,1,1");
  EXPECT_NE(read.wrong("SwitchName=s Level=high Nodes=a"), "no error");
  EXPECT_NE(read.wrong("BlockName=a Nodes=b BlockSize=0"), "no error");
}

using lines = std::vector<std::string>;

TEST(SlurmTopology, AssumesASwitchAboveWhatNothingJoins) {
  const auto machine = read(
      "SwitchName=a Switches=a[0-1] LinkSpeed=50\nSwitchName=a0 Nodes=n[0-1]\n"
      "SwitchName=a1 Nodes=n[2-3]\nSwitchName=b Nodes=n[4-5]\n");
  EXPECT_EQ(machine.network->distance(0, 2), 4U);
  EXPECT_EQ(machine.network->distance(0, 4), 5U);
  EXPECT_DOUBLE_EQ(machine.network->bandwidth(4, 5), 10e9);
  EXPECT_EQ(machine.warnings,
            (lines{"topology.conf:1: no switch is above 'a', 'b': a switch that connects them is "
                   "assumed, with the widest of their bandwidths"}));
  EXPECT_EQ(read("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n").network->name(),
            "fat-tree:2;1,2;1,1;1,1");
}

TEST(SlurmTopology, TakesANodeOfTwoSwitchesForOneWithTwoCables) {
  const auto machine = read("SwitchName=a Nodes=n[1-3],n1\nSwitchName=b Nodes=n[2-4]\n");
  EXPECT_EQ(machine.node_names, (names{"n1", "n2", "n3", "n4"}));
  EXPECT_EQ(machine.network->links(), 2U * 6);
  EXPECT_EQ(machine.network->distance(0, 3), 4U);
  EXPECT_EQ(
      machine.warnings,
      (lines{"topology.conf:1: duplicate node 'n1' in the line: it is used once",
             "topology.conf:2: node 'n2' is below a second switch, 'b'; the first is in line 1: "
             "one node with a cable to each switch is assumed; the same in one more place"}));
}

TEST(SlurmTopology, LeavesOutSwitchesWithoutNodes) {
  const auto machine = read(
      "SwitchName=top Switches=s[0-2],s0\nSwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3]\n"
      "SwitchName=s2\n");
  EXPECT_EQ(machine.network->name(), "fat-tree:2;2,2;1,1;1,1");
  EXPECT_EQ(machine.warnings.size(), 2U);
  EXPECT_EQ(machine.warnings[1],
            "topology.conf:4: switch 's2' has no node below it: it is ignored");
}

TEST(SlurmTopology, KnowsUnitsOfLinkSpeed) {
  EXPECT_EQ(read("SwitchName=a Nodes=n1 LinkSpeed=100Mb/s\n").network->bandwidth(0), 12.5e6);
  EXPECT_EQ(read("SwitchName=a Nodes=n1 LinkSpeed=\"200Gb/s\"\n").network->bandwidth(0), 25e9);
  for (const char* speed : {"fast", "0", "100G"}) {
    const auto machine = read("SwitchName=a Nodes=n1 LinkSpeed=" + std::string(speed) + "\n");
    EXPECT_EQ(machine.network->bandwidth(0), 10e9) << speed;
    ASSERT_EQ(machine.warnings.size(), 1U) << speed;
    EXPECT_NE(machine.warnings[0].find("10 GB/s are assumed"), std::string::npos);
  }
}

TEST(SlurmTopology, MakesATorusOfARing) {
  const auto machine = read("RingName=r Nodes=n[01-06]\n");
  EXPECT_EQ(machine.network->name(), "torus:6");
  EXPECT_EQ(machine.node_names.front(), "n01");
}

TEST(SlurmTopology, JoinsSeveralRings) {
  const auto machine =
      read("RingName=r Nodes=n[0-5]\nRingName=s Nodes=n[6-7]\nRingName=t Nodes=n8\n");
  EXPECT_EQ(machine.network->distance(0, 5), 1U);
  EXPECT_EQ(machine.network->distance(1, 7), 4U);
  EXPECT_EQ(machine.network->group(5, 0), machine.network->group(0, 0));
  EXPECT_NE(machine.network->group(5, 0), machine.network->group(6, 0));
  ASSERT_EQ(machine.warnings.size(), 1U);
  EXPECT_TRUE(machine.warnings[0].starts_with("topology.conf:2: this ring has no link"));
}

TEST(SlurmTopology, NamesTheLineThatIsWrong) {
  read.expect_wrong(
      {{"SwitchName=a Switches=b\nSwitchName=b Switches=a,c\nSwitchName=c Nodes=n1\n",
        "file:1: switch 'a' is in a cycle"},
       {"SwitchName=a Switches=a\n", "cycle"},
       {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n", "file:2: duplicate switch 'a'"},
       {"SwitchName=top Switches=s[0-1]\nSwitchName=s0 Nodes=n1\n",
        "file:1: switch 's1' is not defined"},
       {"SwitchName=a Nodes=n[0-99999999999]\n", "file:1: the list"},
       {"SwitchName=a Nodes=n1 Speed=4\n", "file:1: 'Speed' is an unknown attribute"},
       {"Include other.conf\nSwitchName=a Nodes=n1\n", "file:1: Include is unsupported"},
       {"RingName=a Nodes=n[1-4]\nRingName=b Nodes=n[4-8]\n",
        "file:2: duplicate node 'n4', first defined in line 1"}});
}

TEST(SlurmTopology, RefusesWhatIsNoTopology) {
  for (const char* text :
       {"", "SwitchName=a", "SwitchName=a Nodes=", "Nodes=n1", "SwitchName a Nodes=n1",
        "SwitchName=a Nodes=n[1", "SwitchName=a[0-1] Nodes=n1", "SwitchName=a Nodes=n1 \\",
        "BlockSizes=2", "BlockName=a", "RingName=a", "RingName=a Nodes=n1,n1",
        "BlockName=a Nodes=b\nSwitchName=a Nodes=c", "BlockName=a Nodes=b\nBlockSizes=2,5",
        "BlockName=a Nodes=b\nBlockSizes=0", "BlockName=a Nodes=b\nBlockSizes=2,2"}) {
    EXPECT_NE(read.wrong(text), "no error") << text;
  }
}

constexpr tested_reader read_yaml(read_slurm_yaml, "topology.yaml");

const std::string both_kinds =
    "- topology: fabric\n"
    "  tree:\n"
    "    switches:\n"
    "      - switch: top\n"
    "        children: s[1-2]\n"
    "      - switch: s1\n"
    "        nodes: n[01-02]\n"
    "      - switch: s2\n"
    "        nodes: [n03, n04]\n"
    "- topology: blocks\n"
    "  cluster_default: true\n"
    "  block:\n"
    "    block_sizes:\n"
    "      - 2\n"
    "      - 4\n"
    "    blocks:\n"
    "      - block: b1\n"
    "        nodes: m[1-2]\n"
    "      - block: b2\n"
    "        nodes: m[3-4]\n";

TEST(SlurmYaml, IsReadAsTheLinesOfTheOtherFile) {
  const std::size_t second = both_kinds.find("- topology: blocks");
  const auto tree = read_yaml(both_kinds.substr(0, second));
  expect_network(tree, "fat-tree:2;2,2;1,1;1,1", {"n01", "n02", "n03", "n04"});
  EXPECT_TRUE(tree.warnings.empty());
  const auto blocks = read_yaml(both_kinds.substr(second));
  expect_network(blocks, "fat-tree:2;2,2;1,1;1,1", {"m1", "m2", "m3", "m4"});
}

TEST(SlurmYaml, SaysWhichOfSeveralTopologiesItReads) {
  const auto machine = read_yaml(both_kinds);
  EXPECT_EQ(machine.node_names.front(), "m1");
  EXPECT_EQ(
      machine.warnings,
      (lines{"topology.yaml:10: the file has 2 topologies: this one, 'blocks', is used, which "
             "is the default of its cluster"}));
}

TEST(SlurmYaml, PutsNodesOfATorusInTheirPlaces) {
  const auto machine = read_yaml(
      "- topology: pods\n  torus3d:\n    toruses:\n      - name: pod\n"
      "        dims: {x: 4, y: 3, z: 1}\n        regions:\n"
      "          - anchor: {x: 0, y: 1, z: 0}\n            dims: {x: 2, y: 2, z: 1}\n"
      "            nodes: n[0-3]\n"
      "          - anchor: {x: 2, y: 0, z: 0}\n            dims: {x: 1, y: 1, z: 1}\n"
      "            nodes: m\n");
  expect_network(machine, "torus:4x3x1", {"", "", "m", "", "n0", "n1", "", "", "n2", "n3", "", ""});
  EXPECT_EQ(
      read_yaml("- topology: r\n  ring:\n    rings:\n      - ring: a\n        nodes: n[1-4]\n")
          .network->name(),
      "torus:4");
}

TEST(SlurmYaml, NamesTheLineThatIsWrong) {
  std::string text = both_kinds.substr(0, both_kinds.find("- topology: blocks"));
  EXPECT_NE(read_yaml.wrong(text.replace(text.find("s2\n"), 2, "s3"))
                .find("file:4: switch 's2' is not defined"),
            std::string::npos);
  text = both_kinds;
  EXPECT_NE(read_yaml.wrong(text.replace(text.find("m[3-4]"), 6, "m[2-4]"))
                .find("file:19: duplicate node 'm2', first defined in line 17"),
            std::string::npos);
  read_yaml.expect_wrong(
      {{"- topology: a\n  flat: true\n", "file:1: the topology does not describe"}});
  const std::string torus = "- topology: t\n  torus3d:\n    toruses:\n      - name: p\n";
  for (const std::string& each :
       {std::string("topology: a\n"), std::string("- topology: a\n  net: 1\n"),
        std::string("- topology: a\n  tree: 1\n"),
        std::string("- topology: a\n  tree:\n    switches: s1\n"),
        std::string("- topology: a\n  tree:\n    switches:\n      - s1\n"),
        std::string("- topology: a\n  tree:\n    switches:\n      - switch: s\n        up: t\n"),
        std::string("- topology: a\n  flat: true\n  ring:\n    rings: []\n"), torus,
        torus + "        dims: {x: 1, y: 1}\n", torus + "        dims: {x: 1, y: 1, z: 1}\n",
        torus + "        dims: {x: 1, y: 1, z: 1}\n        nodes: a,b\n",
        torus + "        dims: {x: 9999999, y: 9999999, z: 9999999}\n        nodes: a\n",
        torus + "        dims: {x: 2, y: 1, z: 1}\n        nodes: a,a\n",
        torus + "        dims: {x: 2, y: 1, z: 1}\n        nodes: a,b\n      - name: q\n"}) {
    EXPECT_NE(read_yaml.wrong(each), "no error") << each;
  }
}

constexpr tested_reader read_addresses(read_slurm_addresses, "addresses");

TEST(SlurmAddresses, MakeTheSameTreeAsTheFile) {
  expect_network(read_addresses("s4.s0.n0 switch.switch.node\ns4.s0.n1 switch.switch.node\n"
                                "s4.s1.n2 switch.switch.node\ns4.s1.n3 switch.switch.node\n"
                                "s4.s0.n0 switch.switch.node\n"),
                 "fat-tree:2;2,2;1,1;1,1", {"n0", "n1", "n2", "n3"});
}

TEST(SlurmAddresses, KnowDotsInNamesFromThePattern) {
  const auto machine = read_addresses(
      "n0: SLURM_TOPOLOGY_ADDR=s0.n0.site SLURM_TOPOLOGY_ADDR_PATTERN=switch.node\n"
      "n1: SLURM_TOPOLOGY_ADDR=s0.n1.site SLURM_TOPOLOGY_ADDR_PATTERN=switch.node\n");
  EXPECT_EQ(machine.node_names, (names{"n0.site", "n1.site"}));
}

TEST(SlurmAddresses, NameTheLineThatIsWrong) {
  read_addresses.expect_wrong({{"s0.n0\ns1.n0\n", "file:2: duplicate node 'n0'"},
                               {"s0.n0\nn1\n", "file:2: the address 'n1' lacks"}});
  EXPECT_NE(read_addresses.wrong("s0..n0\n"), "no error");
  EXPECT_NE(read_addresses.wrong("a b c d\n"), "no error");
  EXPECT_NE(read_addresses.wrong(""), "no error");
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "s.";
  read_addresses.expect_wrong({{"s.n0\n" + deep + "n1\n", "32 levels"}});
}

}  // namespace
}  // namespace acre::machines
