// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/refine.hpp>

#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

constexpr effort some{.at_most = std::chrono::seconds(60), .most_trials = 200'000, .seed = 11};

struct job {
  std::unique_ptr<const acre::topology::network> net;
  allocation nodes;
  communication what;

  job(const char* network, std::uint32_t slots, const char* communication)
      : net(make_network(network)),
        nodes(allocation::whole(*net, slots)),
        what(make_communication(communication)) {}
  [[nodiscard]] problem given() const { return {what, {*net, nodes}}; }
  [[nodiscard]] metrics measured(const placement& places) const {
    return measure({*net, nodes}, what.traffic, places);
  }
};

TEST(Refine, LowersTheLargestLoadOfARandomMapping) {
  const job ring("torus:4x4", 2, "cart:32");
  const problem given = ring.given();
  const placement start = random_order(given, 3);
  const metrics before = ring.measured(start);
  const metrics down = ring.measured(descend(given, start, some));
  const metrics cooled = ring.measured(anneal(given, start, some));
  EXPECT_LT(down.largest_load, before.largest_load / 2);
  EXPECT_LE(cooled.largest_load, down.largest_load);
  EXPECT_LT(cooled.hop_bytes, before.hop_bytes / 2);
}

TEST(Refine, LeavesAPerfectMappingAlone) {
  const job stencil("torus:4x4x4", 1, "cart:4x4x4");
  const problem given = stencil.given();
  EXPECT_EQ(descend(given, packed(given), some), packed(given));
  EXPECT_EQ(anneal(given, packed(given), some), packed(given));
}

TEST(Refine, UsesFreeSlots) {
  const auto net = make_network("mesh:5");
  const allocation nodes(
      *net, {{.node = 0, .slots = 1}, {.node = 4, .slots = 1}, {.node = 3, .slots = 1}});
  const communication pair = make_communication("cart:2");
  const problem given{pair, {*net, nodes}};
  const metrics after = measure(given.where, pair.traffic, descend(given, packed(given), some));
  EXPECT_EQ(after.largest_dilation, 1U);
}

TEST(Refine, FindsTheSameAgain) {
  const job grid("dragonfly:3x2x2x2", 2, "cart:6x8");
  const problem given = grid.given();
  EXPECT_EQ(descend(given, packed(given), some), descend(given, packed(given), some));
  effort few = some;
  few.most_trials = 5'000;
  EXPECT_TRUE(
      !grid.measured(packed(given)).better_than(grid.measured(anneal(given, packed(given), few))));
}

}  // namespace
