// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/automatic.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

/// Limited by trials: equal results on slow machines.
const search_options quick{.at_most = std::chrono::minutes(5), .most_trials = 300};

TEST(Automatic, IsNeverWorseThanTheDefaultOrder) {
  std::mt19937 random(5);
  for (const char* specification : {"torus:4x4x4", "mesh:8x8", "dragonfly:4x2x4x2", "tree:4x4x4",
                                    "fat-tree:2;8,8;1,4;1,1", "hypercube:6"}) {
    const auto net = make_network(specification);
    for (const char* wanted :
         {"cart:8x8x4", "cannon:16x16", "rows:16x16", "lines:8x8", "hypercube:8"}) {
      std::vector<allocation::share> shares;
      for (acre::topology::node_t node = 0; node < 64; ++node) {
        shares.push_back({.node = node, .slots = 4 + static_cast<std::uint32_t>(random() % 3)});
      }
      std::ranges::shuffle(shares, random);
      const allocation some(*net, shares);
      const communication what = make_communication(wanted);
      const problem given{what, {*net, some}};
      const std::vector<candidate> found = search(given, quick);
      const auto packed_one = std::ranges::find(found, "packed", &candidate::name);
      ASSERT_NE(packed_one, found.end());
      const metrics& standard = packed_one->measured;
      const auto is_better = [&](const candidate& each) {
        return !each.measured.slower_than(standard) &&
               (standard.slower_than(each.measured, 0.01) ||
                each.measured.hop_bytes < 0.95 * standard.hop_bytes);
      };
      EXPECT_TRUE(std::all_of(found.begin(), packed_one, is_better));
      EXPECT_TRUE(std::none_of(packed_one, found.end(), is_better));
      EXPECT_TRUE(std::is_sorted(found.begin(), packed_one, [](const auto& a, const auto& b) {
        return a.measured.better_than(b.measured);
      }));
    }
  }
}

TEST(Automatic, FindsThePerfectMappingWhereBlocksMakeTheMachine) {
  const auto net = make_network("torus:8x4x4");
  const allocation all = allocation::whole(*net, 8);
  const communication stencil = make_communication("cart:8x8x16");
  const problem given{stencil, {*net, all}};
  const candidate best = automatic(given, quick);
  EXPECT_EQ(best.measured.largest_dilation, 1U) << best.name;
}

TEST(Automatic, LeavesTheDefaultOrderForOneThatLoadsTheNetworkLess) {
  const auto net = make_network("tree:2x8");
  const allocation all = allocation::whole(*net, 1);
  // All orders have equal traffic.
  std::vector<traffic::message> messages;
  for (rank_t other = 8; other < 16; ++other) messages.push_back({0, other, 100});
  messages.push_back({1, 9, 1});
  const communication what = without_grid("a hub", traffic(16, messages));
  const problem given{what, {*net, all}};
  const std::vector<candidate> found = search(given, quick);
  EXPECT_LE(found.front().measured.time, default_order(found).measured.time);
  EXPECT_LT(found.front().measured.hop_bytes, 0.95 * default_order(found).measured.hop_bytes);
}

TEST(Automatic, FindsTheSameAgainWhereTrialsAreCounted) {
  std::mt19937 random(7);
  std::vector<traffic::message> messages;
  for (int i = 0; i < 300; ++i) {
    messages.push_back({static_cast<rank_t>(random() % 96), static_cast<rank_t>(random() % 96),
                        static_cast<double>(1 + random() % 9)});
  }
  const auto net = make_network("tree:6x4");
  const allocation all = allocation::whole(*net, 4);
  const communication what = without_grid("any", traffic(96, messages));
  for (const objective goal : {objective::time, objective::cost}) {
    const problem given{.what = what, .where = {*net, all}, .goal = goal};
    search_options counted = quick;
    counted.most_trials = 20'000;
    const candidate once = automatic(given, counted);
    EXPECT_EQ(once.places, automatic(given, counted).places) << once.name;
  }
}

TEST(Automatic, IsNoSlowerThanTheDefaultOrderWithSmallMessagesThatBlock) {
  const auto net = make_network("torus:4x4x4");
  const allocation all = allocation::whole(*net, 8);
  for (const char* specification : {"cart:8x8x8@1", "cart:8x8x8@4096", "cannon:32x16@1"}) {
    const communication what = make_communication(specification);
    const problem given{what, {*net, all, 1e-6}};
    const metrics standard = measure(given, packed(given));
    const candidate best = automatic(given, quick);
    EXPECT_FALSE(best.measured.slower_than(standard)) << specification << ": " << best.name;
  }
}

TEST(Automatic, JudgesMappingsAgainForOtherSizes) {
  const auto net = make_network("torus:4x4x4");
  const allocation all = allocation::whole(*net, 8);
  const communication large = make_communication("cart:8x8x8@1e6");
  const communication small = make_communication("cart:8x8x8@1");
  const machine where{*net, all, 1e-6};
  const auto found = search({large, where}, quick);
  const auto again = judged({small, where}, found);
  ASSERT_EQ(again.size(), found.size());
  EXPECT_NE(found.front().name, "packed");
  EXPECT_LT(again.front().measured.time, found.front().measured.time);
  const auto standard = std::ranges::find(again, "packed", &candidate::name);
  for (auto each = again.begin(); each != standard; ++each) {
    EXPECT_FALSE(each->measured.slower_than(standard->measured)) << each->name;
  }
}

TEST(Automatic, TriesOnlyWhatItIsToldTo) {
  const auto net = make_network("torus:4x4");
  const allocation all = allocation::whole(*net, 4);
  const communication stencil = make_communication("cart:8x8");
  const problem given{stencil, {*net, all}};
  search_options options = quick;
  options.more = {{.name = "my own", .map = packed},
                  {.name = "slow", .map = packed, .seconds_a_flow = 1e6},
                  {.name = "unable", .map = [](const problem&) -> placement {
                     throw acre::error("unable", "does not take this");
                   }}};
  for (const candidate& each : search(given, options)) {
    EXPECT_TRUE(each.algorithm != "slow" && each.algorithm != "unable");
  }
  options.only = {"my own", "hilbert"};
  std::vector<std::string> names;
  for (const candidate& each : search(given, options)) {
    if (each.algorithm == each.name) names.push_back(each.name);
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"hilbert", "my own", "packed"}));
}

TEST(Automatic, LooksAtWhatIsPromisingFirstWhenTimeIsShort) {
  const auto net = make_network("torus:16x16x16");
  const allocation all = allocation::whole(*net, 8);
  const communication stencil = make_communication("cart:32x32x32");
  const auto found = search({stencil, {*net, all}}, {.at_most = std::chrono::milliseconds(0)});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].algorithm, "grid folding");
  EXPECT_EQ(found[0].measured.largest_dilation, 1U);
  EXPECT_EQ(found[1].name, "packed");
}

TEST(Automatic, TriesTheFirstCurvesInAnyTime) {
  const auto net = make_network("dragonfly:8x1x8x4");
  const allocation all = allocation::whole(*net, 4);
  const communication stencil = make_communication("cart:16x8x8");
  const auto found = search({stencil, {*net, all}}, {.at_most = std::chrono::milliseconds(1)});
  EXPECT_TRUE(std::ranges::count(found, "blocks, hilbert", &candidate::algorithm) == 1);
}

TEST(Automatic, LeavesSlotsFreeThatBlocksHaveNoUseFor) {
  const auto net = make_network("torus:4x4x4");
  const communication stencil = make_communication("cart:8x8x8");
  const allocation even = allocation::whole(*net, 8);
  const metrics best = automatic({stencil, {*net, even}}, quick).measured;
  for (const acre::topology::node_t larger : {0U, 7U, 63U}) {
    std::vector<allocation::share> shares(even.shares().begin(), even.shares().end());
    shares[larger].slots += 1;
    const allocation one_more(*net, shares);
    EXPECT_LE(automatic({stencil, {*net, one_more}}, quick).measured.largest_load,
              best.largest_load);
  }
}

TEST(Automatic, RefusesMoreRanksThanSlots) {
  const auto net = make_network("mesh:2x2");
  const allocation all = allocation::whole(*net, 1);
  const communication five = make_communication("cart:5");
  EXPECT_THROW(static_cast<void>(automatic({five, {*net, all}})), acre::error);
}

TEST(Automatic, TriesOnlyWhatIsAskedForHoweverItIsTyped) {
  EXPECT_EQ(typed_name("reverse Cuthill-McKee"), "reverse-cuthill-mckee");
  EXPECT_EQ(typed_name("blocks, hilbert"), "blocks-hilbert");
  const auto net = make_network("mesh:4x4");
  const allocation all = allocation::whole(*net, 4);
  const communication grid = make_communication("cart:8x8");
  search_options options = quick;
  options.only = {"blocks-hilbert", "Round Robin"};
  options.refined = 0;
  EXPECT_EQ(search({grid, {*net, all}}, options).size(), 3U) << "and packed";
}

TEST(Automatic, FindsAMappingByEachAlgorithmForAJobWithoutMessages) {
  const auto net = make_network("torus:4");
  const allocation all = allocation::whole(*net, 1);
  const communication silent = make_communication("cart:1");
  for (const char* name : {"multilevel", "hierarchical", "tree-grouping", "reverse-cuthill-mckee",
                           "recursive-bisection", "greedy", "round-robin", "folded", "random"}) {
    search_options options = quick;
    options.only = {name};
    EXPECT_EQ(search({silent, {*net, all}}, options).size(), 2U) << name;
  }
}

}  // namespace
