// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/network.hpp>

#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/topology/dragonfly.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/graph.hpp>
#include <acre/topology/specification.hpp>
#include <acre/topology/torus.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>

namespace {

using namespace acre::topology;

std::vector<link_t> route(const network& net, node_t from, node_t to) {
  std::vector<link_t> crossed;
  net.route(from, to, crossed);
  return crossed;
}

std::vector<std::string> names(const network& net, node_t from, node_t to) {
  std::vector<std::string> all;
  for (const link_t link : route(net, from, to)) all.push_back(net.link_name(link));
  return all;
}

std::string what_of(std::string_view specification) {
  return acre::base_test::problem_of([&] { static_cast<void>(make_network(specification)); });
}

class AnyNetwork : public testing::TestWithParam<const char*> {};

TEST_P(AnyNetwork, CountsTheLinksOfItsRoutes) {
  const auto net = make_network(GetParam());
  for (node_t from = 0; from < net->nodes(); ++from) {
    for (node_t to = 0; to < net->nodes(); ++to) {
      const auto crossed = route(*net, from, to);
      ASSERT_EQ(crossed.size(), net->distance(from, to)) << from << " to " << to;
      ASSERT_EQ(crossed.empty(), from == to || net->distance(from, to) == 0);
      for (const link_t link : crossed) ASSERT_LT(link, net->links());
      ASSERT_EQ(std::set(crossed.begin(), crossed.end()).size(), crossed.size());
    }
  }
}

TEST_P(AnyNetwork, IsAsFarThereAsBack) {
  const auto net = make_network(GetParam());
  for (node_t a = 0; a < net->nodes(); ++a) {
    for (node_t b = 0; b < a; ++b) ASSERT_EQ(net->distance(a, b), net->distance(b, a));
  }
}

TEST_P(AnyNetwork, UsesAllNamesOfLinksOnce) {
  const auto net = make_network(GetParam());
  std::set<std::string> seen;
  for (link_t link = 0; link < net->links(); ++link) {
    EXPECT_TRUE(seen.insert(net->link_name(link)).second) << net->link_name(link);
    EXPECT_EQ(net->bandwidth(link), usual_bandwidth);
  }
}

TEST_P(AnyNetwork, PutsGroupsIntoGroups) {
  const auto net = make_network(GetParam());
  for (unsigned level = 1; level < net->levels(); ++level) {
    std::map<std::uint32_t, std::uint32_t> parent;
    for (node_t node = 0; node < net->nodes(); ++node) {
      const auto [known, added] =
          parent.emplace(net->group(node, level), net->group(node, level - 1));
      EXPECT_EQ(known->second, net->group(node, level - 1));
    }
  }
}

TEST_P(AnyNetwork, HasANameThatMakesItAgain) {
  const auto net = make_network(GetParam());
  const auto again = make_network(net->name());
  ASSERT_EQ(again->nodes(), net->nodes());
  ASSERT_EQ(again->links(), net->links());
  for (node_t to = 0; to < net->nodes(); ++to) EXPECT_EQ(route(*net, 0, to), route(*again, 0, to));
}

TEST(Nodes, AreListedInNumbersAndRanges) {
  EXPECT_EQ(make_nodes("3"), (std::vector<node_t>{3}));
  EXPECT_EQ(make_nodes("4-6,1,9-9"), (std::vector<node_t>{4, 5, 6, 1, 9}));
  for (const char* wrong : {"", "1,", "a", "3-1", "0-99999999", "1-2-3", "-1"}) {
    EXPECT_THROW(static_cast<void>(make_nodes(wrong)), acre::error) << wrong;
  }
}

TEST(Network, TellsItsBandwidthsInItsName) {
  for (const char* specification :
       {"torus:4x4m@2.5,1", "mesh:3x3@1", "hypercube:3@40", "fat-tree:2;4,4;1,2;1,2@10,25",
        "dragonfly:5x2x3x2@10,5.25,5.25,4", "dragonfly:5x2x3x2v"}) {
    const auto net = make_network(specification);
    const auto again = make_network(net->name());
    EXPECT_EQ(again->name(), net->name());
    for (link_t link = 0; link < net->links(); ++link) {
      ASSERT_EQ(again->bandwidth(link), net->bandwidth(link)) << specification;
    }
  }
  EXPECT_EQ(make_network("torus:4x4@10,10")->name(), "torus:4x4");
  EXPECT_EQ(make_network("tree:2x4@8,16")->bandwidth(0), 8 * gigabyte) << "the lowest level first";
}

INSTANTIATE_TEST_SUITE_P(Networks, AnyNetwork,
                         testing::Values("torus:8x5x3", "torus:4x4m*2", "torus:7", "torus:2x2x2",
                                         "mesh:5x4", "hypercube:5", "fat-tree:2;4,4;1,2;1,2",
                                         "fat-tree:3;2,3,4;2,2,1;1,1,3", "tree:3x4x5",
                                         "dragonfly:5x2x3x2", "dragonfly:1x1x4x2",
                                         "dragonfly:9x1x2x1", "dragonfly:5x2x3x2v",
                                         "dragonfly:2x2x3x2v"));

TEST(Torus, GoesThroughItsDimensionsInOrderTheShorterWay) {
  const torus net(std::vector<torus::dimension>{{.extent = 8}, {.extent = 5}});
  EXPECT_EQ(names(net, 1 + 8 * 1, 7 + 8 * 3),
            (std::vector<std::string>{"(1,1) -x", "(0,1) -x", "(7,1) +y", "(7,2) +y"}));
}

TEST(Torus, GoesUpwardsWhenBothWaysAreEquallyLongButDownwardsToZero) {
  const torus net(std::vector<torus::dimension>{{.extent = 4}});
  EXPECT_EQ(names(net, 0, 2), (std::vector<std::string>{"(0) +x", "(1) +x"}));
  EXPECT_EQ(names(net, 3, 1), (std::vector<std::string>{"(3) +x", "(0) +x"}));
  EXPECT_EQ(names(net, 2, 0), (std::vector<std::string>{"(2) -x", "(1) -x"}));
}

TEST(Torus, IsAsWideAsTheNarrowestDimensionOnTheWay) {
  const auto net = make_network("torus:4x4@10,2.5");
  EXPECT_DOUBLE_EQ(net->bandwidth(0, 1), 10e9);
  EXPECT_DOUBLE_EQ(net->bandwidth(0, 5), 2.5e9);
  EXPECT_EQ(net->bandwidth(3, 3), std::numeric_limits<double>::infinity());
}

TEST(Torus, LetsNodesShareARouter) {
  const auto net = make_network("torus:4*2");
  EXPECT_EQ(net->nodes(), 8U);
  EXPECT_EQ(net->distance(0, 1), 0U);
  EXPECT_EQ(net->distance(1, 2), 1U);
  EXPECT_EQ(net->group(5, 0), 2U);
}

TEST(Torus, IsAHypercubeWhereNumbersDifferInABit) {
  const torus net = hypercube(6);
  for (node_t a = 0; a < 64; ++a) {
    for (node_t b = 0; b < 64; ++b) {
      EXPECT_EQ(net.distance(a, b), static_cast<unsigned>(std::popcount(a ^ b)));
    }
  }
}

TEST(FatTree, BlocksNoShiftWhereEachLevelIsAsWideAsTheOneBelow) {
  for (const char* specification :
       {"fat-tree:2;4,4;1,4;1,1", "fat-tree:3;4,4,4;1,4,4;1,1,1", "fat-tree:2;4,8;1,2;1,2"}) {
    const auto net = make_network(specification);
    const auto nodes = static_cast<node_t>(net->nodes());
    for (node_t shift = 1; shift < nodes; ++shift) {
      std::vector<int> messages(net->links());
      for (node_t from = 0; from < nodes; ++from) {
        for (const link_t link : route(*net, from, (from + shift) % nodes)) ++messages[link];
      }
      ASSERT_EQ(std::ranges::max(messages), 1) << specification << " shift " << shift;
    }
  }
}

TEST(FatTree, ClimbsNoHigherThanItMust) {
  const auto net = make_network("tree:2x3x4");
  EXPECT_EQ(net->distance(0, 3), 2U);
  EXPECT_EQ(net->distance(0, 4), 4U);
  EXPECT_EQ(net->distance(0, 12), 6U);
  EXPECT_EQ(net->levels(), 2U);
  EXPECT_EQ(net->group(13, 0), 1U);
  EXPECT_EQ(net->group(13, 1), 3U);
}

TEST(Dragonfly, LeavesAGroupWhereTheLinkToTheOtherBegins) {
  const dragonfly net({.groups = 5, .chassis = 2, .blades = 3, .nodes = 2});
  EXPECT_EQ(names(net, 0, 4 * 12 + 2),
            (std::vector<std::string>{"node up 0", "router to blade 0 port 1",
                                      "router to chassis 1 port 1", "group to group 0 port 4",
                                      "router to blade 24 port 1", "node down 50"}));
  EXPECT_EQ(names(net, 0, 1), (std::vector<std::string>{"node up 0", "node down 1"}));
}

TEST(Dragonfly, GoesByWayOfAThirdGroupWhereRoutesAreNotMinimal) {
  const dragonfly net(
      {.groups = 5, .chassis = 2, .blades = 3, .nodes = 2, .ways = dragonfly::routing::valiant});
  EXPECT_EQ(names(net, 0, 4 * 12 + 2),
            (std::vector<std::string>{"node up 0", "router to blade 0 port 2",
                                      "group to group 0 port 2", "router to blade 12 port 1",
                                      "router to chassis 13 port 1", "group to group 2 port 4",
                                      "router to blade 26 port 1", "node down 50"}));
  EXPECT_EQ(names(net, 0, 1), (std::vector<std::string>{"node up 0", "node down 1"}));
}

TEST(Dragonfly, HasGroupsChassisAndBlades) {
  const dragonfly net({.groups = 5, .chassis = 2, .blades = 3, .nodes = 2});
  EXPECT_EQ(net.group(29, 0), 2U);
  EXPECT_EQ(net.group(29, 1), 4U);
  EXPECT_EQ(net.group(29, 2), 14U);
}

TEST(Graph, FindsTheFewestLinksInAnyGraph) {
  std::vector<graph::cable> cables;
  for (std::uint32_t i = 0; i < 8; ++i) {
    cables.push_back({.a = i, .b = 8 + i});
    cables.push_back({.a = 8 + i, .b = 8 + (i + 1) % 8});
  }
  cables.push_back({.a = 8, .b = 12});
  cables.push_back({.a = 10, .b = 14, .bandwidth = 1e9});
  const graph net(8, 8, cables);
  EXPECT_EQ(net.distance(0, 4), 3U);
  EXPECT_EQ(net.distance(1, 5), 5U);
  EXPECT_EQ(names(net, 2, 6),
            (std::vector<std::string>{"node 2 to switch 2", "switch 2 to switch 6",
                                      "switch 6 to node 6"}));
  EXPECT_DOUBLE_EQ(net.bandwidth(2, 6), 1e9);
  for (node_t a = 0; a < 8; ++a) {
    for (node_t b = 0; b < 8; ++b) EXPECT_EQ(route(net, a, b).size(), net.distance(a, b));
  }
}

TEST(Graph, SpreadsTargetsOverEqualWays) {
  std::vector<graph::cable> cables;
  for (std::uint32_t i = 0; i < 8; ++i) cables.push_back({.a = i, .b = 8 + i / 4});
  for (std::uint32_t spine = 10; spine < 14; ++spine) {
    cables.push_back({.a = 8, .b = spine});
    cables.push_back({.a = 9, .b = spine});
  }
  const graph net(8, 6, cables);
  std::set<link_t> ways;
  for (node_t to = 4; to < 8; ++to) ways.insert(route(net, 0, to)[1]);
  EXPECT_EQ(ways.size(), 4U);
}

TEST(Graph, HasTheLevelsThatItIsGiven) {
  const std::vector<graph::cable> cables{{.a = 0, .b = 1}, {.a = 1, .b = 2}, {.a = 2, .b = 3}};
  EXPECT_EQ(graph(4, 0, cables).levels(), 0U);
  const graph net(4, 0, cables, {{0, 0, 1, 1}, {0, 1, 2, 2}});
  EXPECT_EQ(net.levels(), 2U);
  EXPECT_EQ(net.group(1, 0), 0U);
  EXPECT_EQ(net.group(1, 1), 1U);
  EXPECT_THROW(graph(4, 0, cables, {{0, 0, 1}}), acre::error);
}

TEST(Graph, FindsGroupsBelowSwitches) {
  std::vector<graph::cable> cables;
  for (std::uint32_t i = 0; i < 8; ++i) cables.push_back({.a = i, .b = 8 + i / 2});
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      cables.push_back({.a = 8 + leaf, .b = 12 + leaf / 2 * 2 + i});
    }
  }
  for (std::uint32_t pod = 12; pod < 16; ++pod) cables.push_back({.a = pod, .b = 16});
  EXPECT_EQ(groups_by_switches(8, 9, cables),
            (graph::grouping{{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 1, 1, 2, 2, 3, 3}}));
}

TEST(Graph, FindsTheRoutersOfADragonflyAndNothingAbove) {
  std::vector<graph::cable> cables;
  for (std::uint32_t i = 0; i < 6; ++i) cables.push_back({.a = i, .b = 6 + i / 2});
  for (std::uint32_t i = 0; i < 3; ++i) cables.push_back({.a = 6 + i, .b = 6 + (i + 1) % 3});
  EXPECT_EQ(groups_by_switches(6, 3, cables), (graph::grouping{{0, 0, 1, 1, 2, 2}}));
  EXPECT_TRUE(groups_by_switches(2, 0, std::vector<graph::cable>{{.a = 0, .b = 1}}).empty());
}

TEST(Graph, SaysWhatIsWrongWithItsCables) {
  EXPECT_THROW(graph(2, 1, {{.a = 0, .b = 2}}), acre::error);
  EXPECT_THROW(graph(2, 1, {{.a = 0, .b = 2}, {.a = 1, .b = 3}}), acre::error);
  EXPECT_THROW(graph(1, 1, {{.a = 1, .b = 1}}), acre::error);
  EXPECT_THROW(graph(2, 0, {{.a = 0, .b = 1, .bandwidth = -1}}), acre::error);
}

TEST(Specification, SaysWhereItIsWrong) {
  EXPECT_NE(what_of("torus:8xx6").find("position 9"), std::string::npos) << what_of("torus:8xx6");
  EXPECT_NE(what_of("torus:8x8 ").find("expected the end"), std::string::npos);
  EXPECT_NE(what_of("donut:8x8").find("is an unknown kind"), std::string::npos);
  EXPECT_NE(what_of("torus").find("expected a ':'"), std::string::npos);
  EXPECT_NE(what_of("fat-tree:2;4;1,2;1,2").find("2 numbers of children"), std::string::npos);
  for (const std::string wrong : {"hypercube:0", "mesh:0x4", "tree:4x0", "dragonfly:0x1x1x1"}) {
    const std::string what = what_of(wrong);
    EXPECT_TRUE(what.starts_with("'" + wrong + "': ")) << what;
  }
  for (const char* wrong : {"",
                            ":",
                            "torus:",
                            "torus:0x4",
                            "torus:-1",
                            "torus:99999999999",
                            "torus:65536x65536",
                            "torus:4@0",
                            "torus:4@-1",
                            "torus:4@nan",
                            "torus:4@1,2",
                            "torus:4*0",
                            "hypercube:0",
                            "hypercube:40",
                            "fat-tree:4294967295;1;1;1",
                            "fat-tree:1;0;1;1",
                            "fat-tree:2;65536,65536;1,1;1,1",
                            "dragonfly:2x2x2",
                            "dragonfly:2x2x2x2x2",
                            "dragonfly:70000x70000x1x1",
                            "tree:",
                            "tree:4x"}) {
    EXPECT_NE(what_of(wrong), "no error") << wrong;
  }
}

}  // namespace
