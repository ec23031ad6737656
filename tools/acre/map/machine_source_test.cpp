// SPDX-License-Identifier: BSD-3-Clause
#include "machine_source.hpp"

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace {

using acre::tool::all_nodes;
using acre::tool::listed_nodes;
using acre::tool::read_machine;

std::vector<std::uint32_t> nodes_of(const std::string& list) {
  std::vector<std::uint32_t> nodes;
  const auto machine = read_machine("mesh:4x4", listed_nodes{list}, 2);
  for (const auto& share : machine.allocation.shares()) nodes.push_back(share.node);
  return nodes;
}

TEST(MachineSource, TakesAllNodesWhereNoneAreNamed) {
  const auto machine = read_machine("mesh:4x4", all_nodes{}, 3);
  EXPECT_EQ(machine.allocation.slots(), 48U);
  EXPECT_EQ(machine.node_names.size(), 16U);
  EXPECT_EQ(machine.node_names[5], "node5");
}

TEST(MachineSource, TakesNumbersAndRangesInTheirOrder) {
  EXPECT_EQ(nodes_of("9,0-2, 5"), (std::vector<std::uint32_t>{9, 0, 1, 2, 5}));
  const std::string path = testing::TempDir() + "nodes-" + std::to_string(::getpid());
  std::ofstream(path) << "7\n1\n2\n";
  EXPECT_EQ(nodes_of(path), (std::vector<std::uint32_t>{7, 1, 2}));
  std::remove(path.c_str());
}

TEST(MachineSource, KnowsNodesByTheirNames) {
  const std::string path = testing::TempDir() + "switches-" + std::to_string(::getpid());
  std::ofstream(path) << "SwitchName=s0 Nodes=n[1-3]\nSwitchName=s1 Nodes=n[4-6]\n"
                         "SwitchName=top Switches=s[0-1]\n";
  const auto machine = read_machine(path, listed_nodes{"n5,n2:7"}, 3);
  EXPECT_EQ(machine.node_names, (std::vector<std::string>{"n5", "n2"}));
  EXPECT_EQ(machine.allocation.shares()[0].slots, 3U);
  EXPECT_EQ(machine.allocation.shares()[1].slots, 7U);
  EXPECT_THROW(static_cast<void>(read_machine(path, listed_nodes{"n7"}, 3)), acre::error);
  std::remove(path.c_str());
}

TEST(MachineSource, TakesTheTorusAndTheNamesOfXtdb2proc) {
  const std::string path = testing::TempDir() + "processor-" + std::to_string(::getpid());
  std::ofstream file(path);
  for (int z = 0; z < 4; ++z) {
    // Gemini (0,0,2) has one node.
    for (int cpu = 0; cpu < (z == 2 ? 1 : 2); ++cpu) {
      file << "cpu=" << cpu << ",slot=" << z << ",cage=0,cab_position=0,cab_row=0,x_coord=0,"
           << "y_coord=0,z_coord=" << z << ",processor_id=" << 2 * z + cpu << "\n";
    }
  }
  file.close();
  const auto all = read_machine(path, all_nodes{}, 32);
  EXPECT_EQ(all.node_names.size(), 7U);
  EXPECT_EQ(all.node_names[5], "nid00006");
  const auto job = read_machine(path, listed_nodes{"nid0000[1,6]"}, 32);
  EXPECT_EQ(job.node_names, (std::vector<std::string>{"nid00001", "nid00006"}));
  EXPECT_EQ(job.network->distance(job.allocation.shares()[0].node, job.allocation.shares()[1].node),
            1U)
      << "(0,0,0) and (0,0,3) are neighbours";
  std::remove(path.c_str());
}

TEST(MachineSource, AsksTheJobManager) {
  ::setenv("SLURM_JOB_NODELIST", "2,3", 1);
  ::setenv("SLURM_TASKS_PER_NODE", "4,5", 1);
  const auto machine = read_machine("mesh:4x4", acre::tool::nodes_of_this_job{}, 1);
  ::unsetenv("SLURM_JOB_NODELIST");
  ::unsetenv("SLURM_TASKS_PER_NODE");
  EXPECT_EQ(machine.node_names, (std::vector<std::string>{"node2", "node3"}));
  EXPECT_EQ(machine.allocation.slots(), 9U);
}

TEST(MachineSource, SaysWhatIsNoList) {
  for (const char* list :
       {"x", "1-", "-1", "3-1", "1-2-3", "16", "0-4000000000", "1,1", " ", "99999999999"}) {
    EXPECT_THROW(static_cast<void>(nodes_of(list)), acre::error) << list;
  }
}

TEST(MachineSource, TakesTheNodesThatTheFileOfTheNetworkNames) {
  const std::string path = testing::TempDir() + "job-" + std::to_string(::getpid()) + ".json";
  std::ofstream(path) << R"({"network": "torus:4x2", "nodes": "n[0-7]",
                             "allocation": [{"nodes": "n[2-3]", "slots": 4}]})";
  EXPECT_EQ(read_machine(path, all_nodes{}, 1).allocation.slots(), 8U);
  EXPECT_EQ(read_machine(path, all_nodes{}, 1).node_names, (std::vector<std::string>{"n2", "n3"}));
  EXPECT_EQ(read_machine(path, listed_nodes{"n5"}, 1).node_names, (std::vector<std::string>{"n5"}));
  std::remove(path.c_str());
}

TEST(MachineSource, TakesTheShapeOfANode) {
  using acre::tool::node_file;
  using acre::tool::node_shape;
  using acre::tool::read_node_shape;
  EXPECT_EQ(read_node_shape(node_shape{2, 4, 8}), (node_shape{2, 4, 8}));
  EXPECT_EQ(read_node_shape(acre::tool::undivided{}), node_shape());
#if ACRE_HAVE_HWLOC
  EXPECT_GE(read_node_shape(acre::tool::this_node{}).size(), 1U);
#endif
  EXPECT_THROW(static_cast<void>(read_node_shape(node_file{"no such file.xml"})), acre::error);
}

}  // namespace
