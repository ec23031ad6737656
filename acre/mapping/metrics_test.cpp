// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/metrics.hpp>

#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/mapping/structured.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

std::vector<rank_t> peers(const communication& of, rank_t rank) {
  std::vector<rank_t> all;
  for (const traffic::flow& each : of.traffic.from(rank)) all.push_back(each.to);
  return all;
}

std::string what_of(std::string_view specification) {
  return acre::base_test::problem_of([&] { static_cast<void>(make_communication(specification)); });
}

placement identity(std::size_t ranks) {
  placement places(ranks);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

TEST(Traffic, SumsUpMessagesOfTheSameEnds) {
  const std::vector<traffic::message> messages{{2, 0, 5}, {0, 1, 1}, {2, 1, 7}, {2, 0, 3},
                                               {1, 1, 9}, {0, 2, 0}, {0, 1, 2}};
  const traffic flows(3, messages);
  EXPECT_EQ(flows.flows(), 3U);
  EXPECT_DOUBLE_EQ(flows.total(), 18);
  ASSERT_EQ(flows.from(0).size(), 1U);
  EXPECT_EQ(flows.from(0)[0], (traffic::flow{1, 3}));
  EXPECT_TRUE(flows.from(1).empty());
  EXPECT_EQ(flows.from(2)[0], (traffic::flow{0, 8}));
  EXPECT_EQ(flows.from(2)[1], (traffic::flow{1, 7}));
}

TEST(Traffic, GoesInAsManyMessagesAsItIsTold) {
  const std::vector<traffic::message> messages{{0, 1, 80}, {0, 3, 8}, {1, 0, 5}};
  const std::vector<traffic::message> numbers{{0, 1, 10}, {0, 2, 7}, {3, 0, 2}};
  const traffic flows(4, messages);
  EXPECT_EQ(flows.messages(flows.from(0)[0]), 1);
  const traffic told = flows.in_messages(traffic(4, numbers));
  EXPECT_EQ(told.flows(), 3U) << "empty messages have no flow";
  EXPECT_EQ(told.messages(told.from(0)[0]), 10);
  EXPECT_EQ(told.messages(told.from(0)[1]), 1) << "nobody said";
  EXPECT_EQ(told.messages(told.from(1)[0]), 1);
  const traffic copy = told;
  EXPECT_EQ(copy.messages(copy.from(0)[0]), 10);
  EXPECT_THROW(static_cast<void>(flows.in_messages(traffic(3, numbers))), acre::error);
}

TEST(Traffic, RefusesWhatIsNoNumberOfBytes) {
  const auto refused = [](traffic::message one) {
    EXPECT_THROW(traffic(2, std::span(&one, 1)), acre::error) << one.bytes;
  };
  refused({0, 1, -1});
  refused({0, 1, std::numeric_limits<double>::quiet_NaN()});
  refused({0, 1, std::numeric_limits<double>::infinity()});
  refused({0, 2, 1});
  refused({2, 0, 1});
}

// -----------------------------------------------------------------------------------

TEST(Communication, NumbersRanksAsMpiDoes) {
  EXPECT_EQ(peers(make_communication("cart:4x3"), 5), (std::vector<rank_t>{2, 3, 4, 8}));
  EXPECT_EQ(peers(make_communication("cart:4x3o"), 5), (std::vector<rank_t>{2, 4, 8}));
  EXPECT_EQ(peers(make_communication("cart:4ox3o"), 0), (std::vector<rank_t>{1, 3}));
}

TEST(Communication, WeighsDirections) {
  const communication stencil = make_communication("cart:4x4x4@8,4,1");
  double sum = 0;
  for (const traffic::flow& each : stencil.traffic.from(21)) {
    const rank_t apart = each.to > 21 ? each.to - 21 : 21 - each.to;
    EXPECT_DOUBLE_EQ(each.bytes, apart == 16 ? 8 : apart == 4 ? 4 : 1);
    sum += each.bytes;
  }
  EXPECT_DOUBLE_EQ(sum, 26);
}

TEST(Communication, KnowsRowsColumnsAndHypercubes) {
  EXPECT_EQ(peers(make_communication("rows:3x4"), 6), (std::vector<rank_t>{4, 5, 7}));
  EXPECT_EQ(peers(make_communication("columns:3x4"), 6), (std::vector<rank_t>{2, 10}));
  EXPECT_EQ(peers(make_communication("hypercube:4"), 5), (std::vector<rank_t>{1, 4, 7, 13}));
  EXPECT_EQ(peers(make_communication("cannon:4x4"), 0), (std::vector<rank_t>{1, 3, 4, 12}));
}

TEST(Communication, KnowsTheProductsOfMatrices) {
  using flow = traffic::flow;
  const communication shifts = make_communication("shifts:3x4@8,4");
  for (rank_t rank = 0; rank < 12; ++rank) {
    const rank_t left = rank / 4 * 4 + (rank + 3) % 4;
    const rank_t up = (rank + 8) % 12;
    std::vector<flow> expected{{left, 8}, {up, 4}};
    if (up < left) std::swap(expected[0], expected[1]);
    EXPECT_TRUE(std::ranges::equal(shifts.traffic.from(rank), expected)) << rank;
  }
  const communication lines = make_communication("lines:3x4@8,4");
  EXPECT_EQ(peers(lines, 6), (std::vector<rank_t>{2, 4, 5, 7, 10}));
  EXPECT_NEAR(lines.traffic.total(), 12 * (3 * 8 + 2 * 4), 1e-9);
  EXPECT_EQ(make_communication("lines:8x8@5").traffic.total(), 64 * 14 * 5);
}

TEST(Communication, KnowsProductsInLayers) {
  using flow = traffic::flow;
  // The cell of ranks 0 and 1: each reads half of A of both, and half of B of its columns.
  const communication given = make_communication("layers:2x2/1x2@8,4,2");
  EXPECT_TRUE(
      std::ranges::equal(given.traffic.from(0), std::vector<flow>{{1, 4 + 2 + 2}, {2, 2}, {3, 2}}));
  EXPECT_EQ(given.phases[1].total(), 4 * 2);
  const communication flat = make_communication("layers:4x6/1x1@8,4,2");
  const communication lines = make_communication("lines:4x6@8,4");
  EXPECT_EQ(flat.traffic.flows(), lines.traffic.flows());
  EXPECT_NEAR(flat.traffic.total(), lines.traffic.total(), 1e-9);
}

TEST(Communication, ReadsOneRowOfTheRightFactorInEachPhase) {
  for (const char* specification : {"lines:4x4@8,4", "lines:2x6@3,5", "lines:6x4@1,2"}) {
    const communication given = make_communication(specification);
    ASSERT_EQ(given.phases.size(), given.extents[0]);
    std::vector<traffic::message> messages;
    for (const traffic& phase : given.phases) {
      for (rank_t from = 0; from < phase.ranks(); ++from) {
        for (const auto& [to, bytes] : phase.from(from)) messages.push_back({from, to, bytes});
      }
    }
    const traffic sum(given.traffic.ranks(), messages);
    ASSERT_EQ(sum.flows(), given.traffic.flows()) << specification;
    EXPECT_NEAR(sum.total(), given.traffic.total(), 1e-9) << specification;
  }
}

TEST(Communication, TakesADistributedGraphAsMpiDoes) {
  const std::vector<int> sources{0, 3, 2};
  const std::vector<int> degrees{2, 1, 2};
  const std::vector<int> destinations{1, 2, 0, 1, 1};
  const std::vector<int> weights{5, 6, 7, 8, 9};
  const communication weighted = distributed_graph(4, sources, degrees, destinations, weights);
  using flow = traffic::flow;
  EXPECT_TRUE(std::ranges::equal(weighted.traffic.from(0), std::vector<flow>{{1, 5}, {2, 6}}));
  EXPECT_TRUE(std::ranges::equal(weighted.traffic.from(2), std::vector<flow>{{1, 17}}));
  EXPECT_TRUE(std::ranges::equal(weighted.traffic.from(3), std::vector<flow>{{0, 7}}));
  EXPECT_EQ(distributed_graph(4, sources, degrees, destinations).traffic.total(), 5);
  const std::vector<int> negative{5, -6, 7, 8, 9};
  const std::vector<int> too_many{2, 1, 3};
  const std::vector<int> too_few{2, 1, 1};
  const std::vector<int> below{2, -1, 4};
  EXPECT_THROW(static_cast<void>(distributed_graph(3, sources, degrees, destinations)),
               acre::error);
  EXPECT_THROW(static_cast<void>(distributed_graph(4, sources, degrees, destinations, negative)),
               acre::error);
  for (const auto& wrong : {too_many, too_few, below, std::vector<int>{5}}) {
    EXPECT_THROW(static_cast<void>(distributed_graph(4, sources, wrong, destinations)),
                 acre::error);
  }
}

TEST(Communication, HasANameThatMakesItAgain) {
  for (const char* name : {"cart:4x3o", "cannon:5x5", "rows:3x4", "columns:3x4", "shifts:3x4",
                           "lines:4x3", "layers:4x6/2x3", "hypercube:4"}) {
    const communication made = make_communication(name);
    EXPECT_EQ(made.name, name);
    EXPECT_EQ(make_communication(made.name).traffic.flows(), made.traffic.flows());
  }
}

TEST(Communication, SaysWhereASpecificationIsWrong) {
  EXPECT_NE(what_of("cart:4xx4").find("position 8"), std::string::npos) << what_of("cart:4xx4");
  for (const char* wrong :
       {"",           "cart",           "cart:",          "cart:0x4",
        "cart:4@",    "cart:4@-1",      "cart:4@nan",     "cart:70000x70000",
        "cannon:4",   "cannon:4x4x4",   "hypercube:60",   "stencil:4x4",
        "rows:4x4 ",  "lines:4",        "shifts:4x4@1,",  "lines:4x4@1,2,3",
        "layers:4x4", "layers:4x4/3x2", "layers:4x4/0x1", "layers:4x4/2x2@1,2,3,4"}) {
    EXPECT_NE(what_of(wrong), "no error") << wrong;
  }
}

TEST(Allocation, NumbersSlotsThroughItsNodes) {
  const auto net = make_network("torus:4x4");
  const allocation some(*net, {{.node = 9, .slots = 2}, {.node = 3, .slots = 1}});
  EXPECT_EQ(some.slots(), 3U);
  EXPECT_EQ(some.node_of(0), 9U);
  EXPECT_EQ(some.node_of(1), 9U);
  EXPECT_EQ(some.node_of(2), 3U);
  EXPECT_EQ(some.place_of(2), 1U);
  EXPECT_EQ(some.first_slot(1), 2U);
  EXPECT_EQ(allocation::whole(*net, 3).slots(), 48U);
}

TEST(Allocation, SaysWhatIsWrongWithItsNodes) {
  const auto net = make_network("torus:4x4");
  EXPECT_THROW(allocation(*net, {}), acre::error);
  EXPECT_THROW(allocation(*net, {{.node = 16, .slots = 1}}), acre::error);
  EXPECT_THROW(allocation(*net, {{.node = 1, .slots = 0}}), acre::error);
  EXPECT_THROW(allocation(*net, {{.node = 1, .slots = 1}, {.node = 1, .slots = 1}}), acre::error);
}

TEST(Metrics, OfARingOnARingAreThoseOfNeighbours) {
  const auto net = make_network("torus:8@1");
  const allocation all = allocation::whole(*net, 1);
  const communication ring = make_communication("cart:8@1000");
  const metrics measured = measure({*net, all}, ring.traffic, identity(8));
  EXPECT_DOUBLE_EQ(measured.hop_bytes, 16000);
  EXPECT_DOUBLE_EQ(measured.largest_load, 1e-6);
  EXPECT_DOUBLE_EQ(measured.mean_load, 1e-6);
  EXPECT_DOUBLE_EQ(measured.mean_dilation, 1);
  EXPECT_DOUBLE_EQ(measured.mean_hops(), 1);
  EXPECT_EQ(measured.largest_dilation, 1U);
  EXPECT_DOUBLE_EQ(measured.bytes_between_nodes, 16000);
}

TEST(Metrics, WeighHopsByBytesAndDilationByMessages) {
  const auto net = make_network("torus:8");
  const allocation all = allocation::whole(*net, 1);
  const std::vector<traffic::message> messages{{0, 1, 3000}, {0, 4, 1000}};
  const traffic flows(8, messages);
  const metrics measured = measure({*net, all}, flows, identity(8));
  EXPECT_DOUBLE_EQ(measured.mean_dilation, 2.5);
  EXPECT_DOUBLE_EQ(measured.mean_hops(), 1.75);
  EXPECT_EQ(metrics{}.mean_hops(), 0);
}

TEST(Metrics, AddTheLatencyOfTheLongestWay) {
  const auto net = make_network("torus:8@1");
  const allocation all = allocation::whole(*net, 1);
  const communication stencil = make_communication("cart:2x4@1000");
  const machine near{*net, all};
  const machine far{*net, all, 1e-6};
  const metrics large = measure(problem{stencil, near}, identity(8));
  const metrics small = measure(problem{stencil, far}, identity(8));
  EXPECT_DOUBLE_EQ(large.time, large.largest_load);
  EXPECT_DOUBLE_EQ(small.time, large.time + 4e-6) << "ranks 0 and 4 talk";
  EXPECT_DOUBLE_EQ(small.blocking_time, large.blocking_time + (4 + 4 + 3 + 3) * 1e-6);
  EXPECT_GE(large.blocking_time, large.time);
  EXPECT_TRUE(small.slower_than(large));
  EXPECT_FALSE(large.slower_than(small));
}

TEST(Metrics, CountTheWayOfEachMessageWhereTheyAreSmall) {
  const auto net = make_network("mesh:8");
  const allocation all = allocation::whole(*net, 1);
  const std::vector<traffic::message> bytes{{0, 7, 8}, {2, 3, 80}};
  const std::vector<traffic::message> numbers{{0, 7, 1}, {2, 3, 20}};
  communication what = without_grid("trace", traffic(8, bytes));
  const machine where{*net, all, 1e-6};
  const metrics large = measure(problem{what, where}, identity(8));
  EXPECT_DOUBLE_EQ(large.time, large.largest_load + 7e-6) << "the longest way";
  what.traffic = what.traffic.in_messages(traffic(8, numbers));
  const metrics small = measure(problem{what, where}, identity(8));
  EXPECT_DOUBLE_EQ(small.time, small.largest_load + 20e-6) << "twenty messages over one link";
  EXPECT_EQ(small.largest_dilation, 7U);
  EXPECT_EQ(small.largest_load, large.largest_load);
}

TEST(Communication, HasPhasesThatMakeItsTraffic) {
  for (const char* specification :
       {"cart:4x3o", "cart:1x2x5", "cart:2o", "cannon:3x4", "shifts:3x4", "hypercube:4"}) {
    const communication given = make_communication(specification);
    std::vector<traffic::message> messages;
    for (const traffic& phase : given.phases) {
      for (rank_t from = 0; from < phase.ranks(); ++from) {
        EXPECT_LE(phase.from(from).size(), 1U);
        for (const auto& [to, bytes] : phase.from(from)) messages.push_back({from, to, bytes});
      }
    }
    const traffic sum(given.traffic.ranks(), messages);
    for (rank_t from = 0; from < sum.ranks(); ++from) {
      EXPECT_TRUE(std::ranges::equal(sum.from(from), given.traffic.from(from))) << specification;
    }
  }
}

TEST(Metrics, CountNothingOfWhatStaysInANode) {
  const auto net = make_network("torus:4");
  const allocation all = allocation::whole(*net, 2);
  const communication ring = make_communication("cart:8");
  const metrics measured = measure({*net, all}, ring.traffic, identity(8));
  EXPECT_DOUBLE_EQ(measured.bytes_between_nodes, 8);
  EXPECT_EQ(measured.bytes_by_distance, (std::vector<double>{8, 8}));
}

TEST(Metrics, AddUpOverLinksAndDistancesAlike) {
  std::mt19937 random(7);
  for (const char* specification :
       {"torus:4x3x2", "fat-tree:2;4,6;1,2;1,1", "dragonfly:3x2x2x2", "tree:2x3x4"}) {
    const auto net = make_network(specification);
    const allocation all = allocation::whole(*net, 1);
    const communication stencil = make_communication("cart:4x6@3,2");
    placement places = identity(24);
    std::ranges::shuffle(places, random);
    const machine where{*net, all};
    const metrics measured = measure(where, stencil.traffic, places);
    const std::vector<double> bytes = link_bytes(where, stencil.traffic, places);
    EXPECT_DOUBLE_EQ(std::accumulate(bytes.begin(), bytes.end(), 0.0), measured.hop_bytes);
    double by_distance = 0;
    for (std::size_t hops = 0; hops < measured.bytes_by_distance.size(); ++hops) {
      by_distance += static_cast<double>(hops) * measured.bytes_by_distance[hops];
    }
    EXPECT_DOUBLE_EQ(by_distance, measured.hop_bytes);
  }
}

TEST(Metrics, RefusePlacesThatAreNone) {
  const auto net = make_network("torus:4");
  const allocation all = allocation::whole(*net, 1);
  const communication ring = make_communication("cart:4");
  EXPECT_THROW(static_cast<void>(measure({*net, all}, ring.traffic, {0, 1, 2})), acre::error);
  EXPECT_THROW(static_cast<void>(measure({*net, all}, ring.traffic, {0, 1, 2, 2})), acre::error);
  EXPECT_THROW(static_cast<void>(measure({*net, all}, ring.traffic, {0, 1, 2, 4})), acre::error);
}

TEST(Metrics, PreferTheSmallerTimeThenFewerHopBytesThenShorterWays) {
  const metrics base{.time = 2, .hop_bytes = 10, .mean_dilation = 1};
  EXPECT_TRUE((metrics{.time = 1, .hop_bytes = 99}.better_than(base)));
  EXPECT_TRUE((metrics{.time = 2, .hop_bytes = 9, .mean_dilation = 5}.better_than(base)));
  EXPECT_TRUE((metrics{.time = 2, .hop_bytes = 10, .mean_dilation = 0.5}.better_than(base)));
  EXPECT_FALSE(base.better_than(base));
  EXPECT_FALSE((metrics{.time = 2 - 1e-12, .hop_bytes = 11}.better_than(base)));
}

}  // namespace
