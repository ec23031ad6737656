// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/json_network.hpp>

#include <acre/machines/networks/tested_reader_test.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using names = std::vector<std::string>;

constexpr tested_reader read(read_json_network, "machine.json");

TEST(JsonNetwork, TakesANetworkInAWord) {
  const auto machine = read(R"({"network": "torus:2x2", "nodes": "n[0-3]"})");
  EXPECT_EQ(machine.network->name(), "torus:2x2");
  EXPECT_EQ(machine.node_names, (names{"n0", "n1", "n2", "n3"}));
  EXPECT_TRUE(read(R"({"network": "torus:2x2"})").node_names.empty());
}

TEST(JsonNetwork, TakesAGraph) {
  const auto machine = read(R"({
    "nodes": "n[0-3]", "switches": ["s0", "s1"],
    "links": [{"from": "n[0-1]", "to": "s0", "bandwidth": 12.5},
              {"from": ["n2", "n3"], "to": "s1"},
              {"from": "s0", "to": "s1", "bandwidth": 2.5, "cables": 2}],
    "allocation": []
  })");
  const topology::network& net = *machine.network;
  EXPECT_EQ(net.nodes(), 4U);
  EXPECT_EQ(net.links(), 12U);
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 1), 12.5e9);
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 3), 2.5e9);
  EXPECT_EQ(net.levels(), 1U);
}

TEST(JsonNetwork, NamesTheLineThatIsWrong) {
  read.expect_wrong(
      {{"{\"network\": \"torus:2x2\",\n \"nodes\": \"n[0-2]\"}",
        "file:2: 3 nodes have names, but torus:2x2 has 4"},
       {"{\"network\":\n\"torus:2xx\"}", "file:2: 'torus:2xx': expected a number"},
       {"{\"nodes\": \"n[0-1]\",\n\"links\": [\n{\"from\": \"n0\",\n\"to\": \"s9\"}]}",
        "file:4: 's9' is neither a node nor a switch"},
       {"{\"nodes\": [\"a\",\n\"a\"], \"links\": []}", "duplicate node"},
       {"{\"network\": \"torus:2\",\n\"speed\": 4\n}", "file:2: 'speed' is an unknown key"},
       {"{\"nodes\": [\"a\"],\n \"links\": [", "file:2: the JSON is invalid"},
       {"{\"nodes\": \"n[0-99999999999]\", \"links\": []}", "file:1: the list"},
       {"{\"nodes\": \"n[0-1]\",\n \"links\": []}", "no path connects"}});
}

TEST(JsonNetwork, RefusesWhatDescribesNoNetwork) {
  for (const char* text :
       {"{", "{}", "[]", "4", "{\"network\": 4}", "{\"network\": \"torus:2\", \"links\": []}",
        "{\"nodes\": \"a\"}", "{\"nodes\": \"a\", \"links\": 4}", "{\"nodes\": 4, \"links\": []}",
        "{\"nodes\": \"a\", \"links\": [4]}", "{\"nodes\": \"a\", \"links\": [{\"from\": \"a\"}]}",
        "{\"nodes\": \"a\", \"links\": [{\"from\": \"a\", \"to\": \"a\"}]}",
        "{\"nodes\": \"a,b\", \"links\": [{\"from\": \"a\", \"to\": \"b\", \"bandwidth\": -1}]}",
        "{\"nodes\": \"a,b\", \"links\": [{\"from\": \"a\", \"to\": \"b\", \"cables\": 0.5}]}",
        "{\"nodes\": \"a,b\", \"links\": [{\"from\": \"a\", \"to\": \"b\", \"speed\": 1}]}",
        "{\"nodes\": \"n[0-9999]\", \"switches\": \"s[0-9999]\", "
        "\"links\": [{\"from\": \"n[0-9999]\", \"to\": \"s[0-9999]\"}]}",
        "{\"network\": \"torus:2\", \"network\": \"torus:2\"}", "{\"network\": \"hypercube:21\"}",
        "[[[[[[[[[[1]]]]]]]]]]"}) {
    EXPECT_NE(read.wrong(text), "no error") << text;
  }
}

}  // namespace
}  // namespace acre::machines
