// SPDX-License-Identifier: BSD-3-Clause
// Mapping algorithms that use the traffic.
#include <acre/base/error.hpp>
#include <acre/mapping/bisection.hpp>
#include <acre/mapping/cuthill_mckee.hpp>
#include <acre/mapping/greedy.hpp>
#include <acre/mapping/hilbert_torus.hpp>
#include <acre/mapping/tree_grouping.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <string>

namespace acre::mapping {
namespace {

using topology::allocation;
using topology::make_network;

struct method {
  const char* name;
  placement (*map)(const problem&);
};

class AnyMethod : public testing::TestWithParam<method> {
 protected:
  static placement map(const problem& given) { return GetParam().map(given); }
};
INSTANTIATE_TEST_SUITE_P(Methods, AnyMethod,
                         testing::Values(method{"Greedy", greedy}, method{"Bisection", bisection},
                                         method{"GraphSimilarity", graph_similarity},
                                         method{"TreeGrouping", tree_grouping}),
                         [](const auto& each) { return std::string(each.param.name); });

communication couples(rank_t ranks) {
  std::vector<traffic::message> messages;
  for (rank_t r = 0; r < ranks / 2; ++r) {
    messages.push_back({r, ranks - 1 - r, 10});
    messages.push_back({ranks - 1 - r, r, 10});
  }
  return without_grid("couples", {ranks, messages});
}

TEST_P(AnyMethod, GivesEachRankASlotOfItsOwnOnAnyMachine) {
  for (const char* machine : {"torus:5x4x3", "mesh:6x10", "tree:3x4x5", "dragonfly:5x2x3x2",
                              "fat-tree:2;6,10;1,3;1,1", "hypercube:6"}) {
    const auto net = make_network(machine);
    const allocation all = allocation::whole(*net, 3);
    for (const char* specification :
         {"cart:6x5x6o", "cannon:9x20", "rows:15x12", "hypercube:7", "cart:1", "cart:7"}) {
      const communication given = make_communication(specification);
      const placement places = map({given, {*net, all}});
      ASSERT_EQ(places.size(), given.traffic.ranks());
      ASSERT_EQ(std::set(places.begin(), places.end()).size(), places.size())
          << machine << " " << specification;
      ASSERT_LT(*std::ranges::max_element(places), all.slots());
    }
  }
}

TEST_P(AnyMethod, FillsUnevenNodesExactly) {
  std::mt19937 random(3);
  const auto net = make_network("dragonfly:4x2x2x4");
  for (unsigned round = 0; round < 20; ++round) {
    std::vector<topology::node_t> nodes(net->nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
    std::ranges::shuffle(nodes, random);
    std::vector<allocation::share> shares;
    for (unsigned i = 0; i < 9; ++i) {
      shares.push_back({.node = nodes[i], .slots = static_cast<std::uint32_t>(1 + random() % 9)});
    }
    const allocation some(*net, shares);
    const std::array grid{grid_dimension{.extent = static_cast<std::uint32_t>(some.slots())}};
    const communication ring = cartesian(grid);
    const placement places = map({ring, {*net, some}});
    EXPECT_EQ(std::set(places.begin(), places.end()).size(), some.slots());
  }
}

TEST_P(AnyMethod, PutsCouplesTogether) {
  const auto net = make_network("tree:4x4");
  const allocation all = allocation::whole(*net, 2);
  const communication given = couples(32);
  EXPECT_EQ(measure({*net, all}, given.traffic, map({given, {*net, all}})).bytes_between_nodes, 0);
}

TEST_P(AnyMethod, TakesRanksThatTalkToNobody) {
  const auto net = make_network("torus:4x4");
  const allocation all = allocation::whole(*net, 2);
  const communication silent = without_grid("silent", {20, {}});
  const placement places = map({silent, {*net, all}});
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), 20U);
}

TEST_P(AnyMethod, RefusesMoreRanksThanSlots) {
  const auto net = make_network("torus:2x2");
  const allocation all = allocation::whole(*net, 1);
  const communication ring = make_communication("cart:5");
  EXPECT_THROW(static_cast<void>(map({ring, {*net, all}})), acre::error);
}

communication renamed(const communication& given, unsigned seed) {
  std::vector<rank_t> names(given.traffic.ranks());
  std::iota(names.begin(), names.end(), rank_t{0});
  std::ranges::shuffle(names, std::mt19937(seed));
  std::vector<traffic::message> messages;
  for (rank_t from = 0; from < given.traffic.ranks(); ++from) {
    for (const auto& [to, bytes] : given.traffic.from(from)) {
      messages.push_back({names[from], names[to], bytes});
    }
  }
  return without_grid("renamed", {given.traffic.ranks(), messages});
}

TEST(GraphAlgorithms, FindTheGridInTrafficWithoutOne) {
  const auto net = make_network("torus:4x4x4");
  const allocation all = allocation::whole(*net, 8);
  const communication given = renamed(make_communication("cart:8x8x8"), 5);
  const problem it{given, {*net, all}};
  const auto hop_bytes = [&](const placement& places) {
    return measure(it.where, given.traffic, places).hop_bytes;
  };
  const double by_chance = hop_bytes(packed(it));
  EXPECT_LT(hop_bytes(greedy(it)), 0.45 * by_chance);
  EXPECT_LT(hop_bytes(bisection(it)), 0.4 * by_chance);
  EXPECT_LT(hop_bytes(tree_grouping(it)), 0.8 * by_chance);
}

TEST(GraphAlgorithms, KeepLittleBetweenTheGroupsOfATree) {
  const auto net = make_network("tree:4x4x4");
  const allocation all = allocation::whole(*net, 4);
  const communication given = renamed(make_communication("cart:8x8x4o"), 6);
  const problem it{given, {*net, all}};
  const auto far = [&](const placement& places) {
    return measure(it.where, given.traffic, places).bytes_by_distance.back();
  };
  const double by_chance = far(packed(it));
  EXPECT_LT(far(tree_grouping(it)), 0.5 * by_chance);
  EXPECT_LT(far(bisection(it)), 0.45 * by_chance);
}

TEST(CuthillMcKee, WalksAPathFromEndToEnd) {
  const communication path = renamed(make_communication("cart:50o"), 7);
  const traffic pairs = both_ways(path.traffic);
  const std::vector<rank_t> along = reverse_cuthill_mckee(pairs);
  for (std::size_t i = 1; i < along.size(); ++i) {
    const auto row = pairs.from(along[i]);
    EXPECT_TRUE(std::ranges::find(row, along[i - 1], &traffic::flow::to) != row.end()) << i;
  }
}

TEST(HilbertTorus, TakesTheFewestHopBytesOfAllDirections) {
  const auto net = make_network("torus:4x8x4");
  const allocation all = allocation::whole(*net, 1);
  const communication given = make_communication("cannon:16x8");
  const problem it{given, {*net, all}};
  const auto hop_bytes = [&](const placement& places) {
    return measure(it.where, given.traffic, places).hop_bytes;
  };
  const double found = hop_bytes(hilbert_torus(it));
  EXPECT_LE(found, hop_bytes(packed(it)));
  EXPECT_LE(found, hop_bytes(matched(it, hilbert(given.extents), nodes_along(it.where, hilbert))));
  const auto tree = make_network("tree:4x4");
  const allocation few = allocation::whole(*tree, 8);
  EXPECT_THROW(static_cast<void>(hilbert_torus({given, {*tree, few}})), acre::error);
}

TEST(FoldedRanks, GoForthAndBack) {
  const auto net = make_network("torus:4");
  const allocation all = allocation::whole(*net, 3);
  const communication ring = make_communication("cart:12");
  EXPECT_EQ(folded_ranks({ring, {*net, all}}), (placement{0, 3, 6, 9, 10, 7, 4, 1, 2, 5, 8, 11}));
}

}  // namespace
}  // namespace acre::mapping
