// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/hierarchical.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

double crossing(const problem& given, const placement& places, unsigned level) {
  const auto group = [&](rank_t rank) {
    return given.where.network.group(given.where.allocation.node_of(places[rank]), level);
  };
  double bytes = 0;
  for (rank_t rank = 0; rank < places.size(); ++rank) {
    for (const traffic::flow& each : given.what.traffic.from(rank)) {
      if (group(rank) != group(each.to)) bytes += each.bytes;
    }
  }
  return bytes;
}

TEST(Hierarchical, GivesEachGroupABlockOfTheLeastSurface) {
  const auto net = make_network("dragonfly:4x2x4x2");
  const allocation all = allocation::whole(*net, 8);
  const communication stencil = make_communication("cart:8x8x8");
  const problem given{stencil, {*net, all}};
  const placement places = hierarchical(given);
  EXPECT_DOUBLE_EQ(crossing(given, places, 0), 4 * 4 * 32);
  EXPECT_DOUBLE_EQ(crossing(given, packed(given), 0), 4 * 2 * 64);
  for (unsigned level = 1; level < net->levels(); ++level) {
    EXPECT_LT(crossing(given, places, level), crossing(given, packed(given), level));
  }
  EXPECT_TRUE(measure(given.where, stencil.traffic, places)
                  .better_than(measure(given.where, stencil.traffic, packed(given))));
}

TEST(Hierarchical, TakesAnyNodesAndAnyNumbersOfSlots) {
  std::mt19937 random(3);
  for (const char* specification :
       {"dragonfly:5x2x3x2", "torus:5x4x3", "tree:3x4x5", "torus:6x5*2"}) {
    const auto net = make_network(specification);
    std::vector<allocation::share> shares;
    std::uint32_t slots = 0;
    for (acre::topology::node_t node = 0; node < 60; ++node) {
      if (random() % 3 == 0) continue;
      shares.push_back({.node = node, .slots = 1 + static_cast<std::uint32_t>(random() % 5)});
      slots += shares.back().slots;
    }
    std::ranges::shuffle(shares, random);
    const allocation some(*net, shares);
    for (const std::uint32_t ranks : {1U, 2U, slots / 2, slots}) {
      const communication ring = make_communication("cart:" + std::to_string(ranks));
      const problem given{ring, {*net, some}};
      EXPECT_GE(measure(given.where, ring.traffic, hierarchical(given)).hop_bytes, 0);
    }
  }
}

TEST(Hierarchical, RefusesMoreRanksThanSlots) {
  const auto net = make_network("tree:2x2");
  const allocation all = allocation::whole(*net, 1);
  const communication ring = make_communication("cart:5");
  EXPECT_THROW(static_cast<void>(hierarchical({ring, {*net, all}})), acre::error);
}

}  // namespace
