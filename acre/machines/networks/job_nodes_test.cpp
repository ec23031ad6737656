// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/job_nodes.hpp>

#include <acre/machines/networks/network_file.hpp>
#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using nodes = std::vector<job_node>;

nodes hostfile(std::string text, std::uint32_t slots = 1) {
  return nodes_of_hostfile(source_text("hosts", std::move(text)), slots);
}
std::string wrong(std::string text) {
  return wrong_with([](const source_text& file) { return nodes_of_hostfile(file, 1); },
                    std::move(text));
}

TEST(JobNodes, AreTakenFromHostfilesOfAnyLauncher) {
  EXPECT_EQ(hostfile("n1 slots=24 max_slots=48\nn2 slots=12 # half\n\n"),
            (nodes{{"n1", 24}, {"n2", 12}}));
  EXPECT_EQ(hostfile("n1:24 ifname=ib0\nn2:12\n"), (nodes{{"n1", 24}, {"n2", 12}}));
  EXPECT_EQ(hostfile("n2\nn2\nn1\nn2\n"), (nodes{{"n2", 3}, {"n1", 1}}));
  EXPECT_EQ(hostfile("n1\nn2\n", 8), (nodes{{"n1", 8}, {"n2", 8}}));
  EXPECT_EQ(hostfile("n[1-2] slots=4\n"), (nodes{{"n1", 4}, {"n2", 4}}));
  EXPECT_EQ(hostfile("{\"allocation\": [{\"nodes\": \"n[1-2]\", \"slots\": 4}]}"),
            (nodes{{"n1", 4}, {"n2", 4}}));
}

TEST(JobNodes, NameTheLineOfAHostfileThatIsWrong) {
  EXPECT_NE(wrong("n1 slots=2\nn1 slots=2\n").find("file:2: duplicate node 'n1'"),
            std::string::npos);
  EXPECT_NE(wrong("n1\nn2 cores=2\n").find("file:2: 'cores=2' is not a number"), std::string::npos);
  EXPECT_NE(wrong("n1 slots=99999999999\n").find("file:1:"), std::string::npos);
  EXPECT_NE(wrong("n[0-99999999999]\n").find("file:1: the list"), std::string::npos);
  for (const char* text : {"", "n1 slots=0", "n1:4 slots=4", "n1 slots", "n1 slots=", "n[1",
                           "{\"allocation\": 4}", "{\"allocation\": [{\"nodes\": \"a\"}]}",
                           "{\"allocation\": [{\"nodes\": \"a\", \"slots\": 0}]}", "{}", "{"}) {
    EXPECT_NE(wrong(text), "no error") << text;
  }
}

TEST(JobNodes, AreTakenFromTheCommandLine) {
  EXPECT_EQ(nodes_of_list("n1,n[02-03]:12", 24), (nodes{{"n1", 24}, {"n02", 12}, {"n03", 12}}));
  EXPECT_EQ(nodes_of_list("0-2,7", 4), (nodes{{"0", 4}, {"1", 4}, {"2", 4}, {"7", 4}}));
  EXPECT_EQ(nodes_of_list("node[1,3]", 1), (nodes{{"node1", 1}, {"node3", 1}}));
  EXPECT_EQ(read_job_nodes("0-1", 2), (nodes{{"0", 2}, {"1", 2}}));
  for (const char* list : {"", "a,", "n1,n1", "n[1", "2-1", "0-99999999999", "n1:0"}) {
    EXPECT_THROW(static_cast<void>(nodes_of_list(list, 1)), acre::error) << list;
  }
  EXPECT_THROW(static_cast<void>(read_job_nodes("./no-such-file", 1)), acre::error);
}

TEST(JobNodes, BecomeAnAllocationByNumber) {
  const auto machine = read_network("torus:4x4");
  const topology::allocation some = allocation_on(machine, nodes_of_list("3,0-1", 2));
  EXPECT_EQ(some.slots(), 6U);
  EXPECT_EQ(some.node_of(0), 3U);
  EXPECT_EQ(some.node_of(5), 1U);
  EXPECT_THROW(static_cast<void>(allocation_on(machine, nodes_of_list("16", 1))), acre::error);
  EXPECT_THROW(static_cast<void>(allocation_on(machine, nodes_of_list("n1", 1))), acre::error);
  const auto large = read_network("torus:8x8");
  EXPECT_THROW(static_cast<void>(allocation_on(large, nodes_of_list("0-63", 1 << 20))),
               acre::error);
}

TEST(JobNodes, BecomeAnAllocationByName) {
  const auto machine =
      read_network(source_text("conf", "SwitchName=s Nodes=n[1-4].site,login,n1.other\n"));
  EXPECT_EQ(allocation_on(machine, {{"n2", 1}}).node_of(0), 1U) << "short name of a whole one";
  EXPECT_EQ(allocation_on(machine, {{"n2.site", 1}}).node_of(0), 1U);
  EXPECT_EQ(allocation_on(machine, {{"login.site", 1}}).node_of(0), 4U) << "whole of a short one";
  EXPECT_EQ(allocation_on(machine, {{"5", 1}}).node_of(0), 5U) << "by number";
  EXPECT_EQ(allocation_on(machine, {{"n1.other", 3}}).slots(), 3U);
  const auto wrong_name = [&](const nodes& some) {
    try {
      static_cast<void>(allocation_on(machine, some));
    } catch (const acre::error& failure) {
      return failure.problem();
    }
    return std::string("no error");
  };
  EXPECT_NE(wrong_name({{"n1", 1}}).find("several nodes"), std::string::npos);
  EXPECT_NE(wrong_name({{"n9", 1}}).find("node 'n9' is not one of"), std::string::npos);
  EXPECT_NE(wrong_name({{"n2.other", 1}}).find("is not one of"), std::string::npos);
  EXPECT_NE(wrong_name({{"n2", 1}, {"n2.site", 1}}).find("are the same node"), std::string::npos);
}

}  // namespace
}  // namespace acre::machines
