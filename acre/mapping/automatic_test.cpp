#include <acre/mapping/automatic.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

constexpr search_options quick{.at_most = std::chrono::milliseconds(40)};

TEST(Automatic, IsNeverWorseThanTheDefaultOrder) {
  std::mt19937 random(5);
  for (const char* specification : {"torus:4x4x4", "mesh:8x8", "dragonfly:4x2x4x2", "tree:4x4x4",
                                    "fat-tree:2;8,8;1,4;1,1", "hypercube:6"}) {
    const auto net = make_network(specification);
    for (const char* communication : {"cart:8x8x4", "cannon:16x16", "rows:16x16", "hypercube:8"}) {
      std::vector<allocation::share> shares;
      for (acre::topology::node_t node = 0; node < 64; ++node) {
        shares.push_back({.node = node, .slots = 4 + static_cast<std::uint32_t>(random() % 3)});
      }
      std::ranges::shuffle(shares, random);
      const allocation some(*net, shares);
      const pattern what = make_pattern(communication);
      const problem given{what, {*net, some}};
      const std::vector<candidate> found = search(given, quick);
      const auto packed_one = std::ranges::find(found, "packed", &candidate::name);
      ASSERT_NE(packed_one, found.end());
      EXPECT_FALSE(packed_one->measured.better_than(found.front().measured));
      for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_FALSE(found[i].measured.better_than(found[i - 1].measured));
      }
    }
  }
}

TEST(Automatic, FindsThePerfectMappingWhereBlocksMakeTheMachine) {
  const auto net = make_network("torus:8x4x4");
  const allocation all = allocation::whole(*net, 8);
  const pattern stencil = make_pattern("cart:8x8x16");
  const problem given{stencil, {*net, all}};
  const candidate best = automatic(given, {.at_most = std::chrono::seconds(2)});
  EXPECT_EQ(best.measured.largest_dilation, 1U) << best.name;
}

TEST(Automatic, RefusesMoreRanksThanSlots) {
  const auto net = make_network("mesh:2x2");
  const allocation all = allocation::whole(*net, 1);
  const pattern five = make_pattern("cart:5");
  EXPECT_THROW(static_cast<void>(automatic({five, {*net, all}})), acre::error);
}

}  // namespace
