#include <acre/machines/networks/slurm_topology.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

namespace acre::topology {
namespace {

using names = std::vector<std::string>;

described_network read(std::string text) {
  return read_slurm_topology(source_text("topology.conf", std::move(text)));
}
std::string wrong(std::string text) { return wrong_with(read_slurm_topology, std::move(text)); }

TEST(SlurmTopology, MakesAFatTreeOfARegularTree) {
  const auto machine = read(
      "# two leaves\n"
      "SwitchName=s0 Nodes=n[00-01] LinkSpeed=25\n"
      "switchname=s1 nodes=n[02-03] linkspeed=25\n"
      "SwitchName=top Switches=s[0-1] LinkSpeed=50\n");
  EXPECT_EQ(machine.network->name(), "fat-tree:2;2,2;1,1;1,1@25,50");
  EXPECT_EQ(machine.node_names, (names{"n00", "n01", "n02", "n03"}));
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
  const network& net = *machine.network;
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

TEST(SlurmTopology, NamesTheLineThatIsWrong) {
  EXPECT_NE(wrong("SwitchName=a Switches=b\nSwitchName=b Switches=a,c\nSwitchName=c Nodes=n1\n")
                .find("file:1: switch 'a' is in a circle"),
            std::string::npos);
  EXPECT_NE(wrong("SwitchName=a Switches=a\n").find("circle"), std::string::npos);
  EXPECT_NE(wrong("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n2\n")
                .find("file:2: node 'n2' is named twice, first in line 1"),
            std::string::npos);
  EXPECT_NE(wrong("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n").find("file:2: switch 'a'"),
            std::string::npos);
  EXPECT_NE(wrong("SwitchName=top Switches=s[0-1]\nSwitchName=s0 Nodes=n1\n")
                .find("file:1: no line describes switch 's1'"),
            std::string::npos)
      << wrong("SwitchName=top Switches=s[0-1]\nSwitchName=s0 Nodes=n1\n");
  EXPECT_NE(wrong("SwitchName=a Nodes=n[0-99999999999]\n").find("file:1: in the list"),
            std::string::npos);
  EXPECT_NE(wrong("SwitchName=a Nodes=n1 Speed=4\n").find("file:1: 'Speed' is no attribute"),
            std::string::npos);
  EXPECT_NE(wrong("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n").find("file:2: not all nodes"),
            std::string::npos);
}

TEST(SlurmTopology, RefusesWhatIsNoTopology) {
  for (const char* text :
       {"", "SwitchName=a", "SwitchName=a Nodes=", "Nodes=n1", "SwitchName a Nodes=n1",
        "SwitchName=a Nodes=n[1", "SwitchName=a[0-1] Nodes=n1", "SwitchName=a Nodes=n1 \\",
        "SwitchName=a Nodes=n1 LinkSpeed=0", "SwitchName=a Nodes=n1 LinkSpeed=fast",
        "SwitchName=a Switches=b,b\nSwitchName=b Nodes=c", "BlockSizes=2", "BlockName=a",
        "BlockName=a Nodes=b\nSwitchName=a Nodes=c", "BlockName=a Nodes=b\nBlockSizes=2,5",
        "BlockName=a Nodes=b\nBlockSizes=0", "BlockName=a Nodes=b\nBlockSizes=2,2"}) {
    EXPECT_NE(wrong(text), "no error") << text;
  }
}

std::string wrong_address(std::string text) {
  return wrong_with(read_slurm_addresses, std::move(text));
}

TEST(SlurmAddresses, MakeTheSameTreeAsTheFile) {
  const auto machine =
      read_slurm_addresses(source_text("addresses",
                                       "s4.s0.n0 switch.switch.node\ns4.s0.n1 switch.switch.node\n"
                                       "s4.s1.n2 switch.switch.node\ns4.s1.n3 switch.switch.node\n"
                                       "s4.s0.n0 switch.switch.node\n"));
  EXPECT_EQ(machine.network->name(), "fat-tree:2;2,2;1,1;1,1");
  EXPECT_EQ(machine.node_names, (names{"n0", "n1", "n2", "n3"}));
}

TEST(SlurmAddresses, KnowDotsInNamesFromThePattern) {
  const auto machine = read_slurm_addresses(
      source_text("addresses",
                  "n0: SLURM_TOPOLOGY_ADDR=s0.n0.site SLURM_TOPOLOGY_ADDR_PATTERN=switch.node\n"
                  "n1: SLURM_TOPOLOGY_ADDR=s0.n1.site SLURM_TOPOLOGY_ADDR_PATTERN=switch.node\n"));
  EXPECT_EQ(machine.node_names, (names{"n0.site", "n1.site"}));
}

TEST(SlurmAddresses, NameTheLineThatIsWrong) {
  EXPECT_NE(wrong_address("s0.n0\ns1.n0\n").find("file:2: node 'n0' is named twice"),
            std::string::npos);
  EXPECT_NE(wrong_address("s0.n0\nn1\n").find("file:2: the address 'n1' lacks"), std::string::npos);
  EXPECT_NE(wrong_address("s0..n0\n"), "no error");
  EXPECT_NE(wrong_address("a b c d\n"), "no error");
  EXPECT_NE(wrong_address(""), "no error");
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "s.";
  EXPECT_NE(wrong_address("s.n0\n" + deep + "n1\n").find("32 levels"), std::string::npos);
}

}  // namespace
}  // namespace acre::topology
