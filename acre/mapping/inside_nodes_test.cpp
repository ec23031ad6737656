// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/inside_nodes.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace acre::mapping {
namespace {

using topology::allocation;
using topology::make_network;
using shape = std::vector<std::uint32_t>;

constexpr std::chrono::seconds enough{60};

const communication pairs = [] {
  std::vector<traffic::message> messages;
  for (rank_t rank = 0; rank < 8; ++rank) {
    messages.push_back({.from = rank, .to = (rank + 4) % 8, .bytes = 10});
  }
  return without_grid("pairs", traffic(8, messages));
}();

TEST(InsideNodes, CountsBytesByTheOutermostPlacesTheyCross) {
  const auto net = make_network("mesh:2");
  const allocation all = allocation::whole(*net, 4);
  const communication ring = make_communication("cart:8");
  const problem given{ring, {*net, all}};
  // 0-1, 2-3 in a package, 1-2 between packages; 3-4, 7-0 between nodes.
  EXPECT_EQ(bytes_inside_nodes(given, packed(given), shape{2, 2}), (std::vector<double>{4, 8}));
  EXPECT_EQ(bytes_inside_nodes(given, packed(given), shape{4}), (std::vector<double>{12}));
}

TEST(InsideNodes, BringsThoseWhoTalkIntoOnePackage) {
  const auto net = make_network("mesh:1");
  const allocation all = allocation::whole(*net, 8);
  const problem given{pairs, {*net, all}};
  EXPECT_EQ(bytes_inside_nodes(given, packed(given), shape{2, 2, 2}),
            (std::vector<double>{80, 0, 0}));
  const placement places = arranged_inside_nodes(given, packed(given), shape{2, 2, 2}, enough);
  EXPECT_EQ(bytes_inside_nodes(given, places, shape{2, 2, 2}), (std::vector<double>{0, 0, 80}));
}

TEST(InsideNodes, LeavesEachRankInItsNodeAndEachSlotOneRank) {
  const auto net = make_network("torus:4x2");
  std::vector<allocation::share> shares;
  for (topology::node_t node = 0; node < 8; ++node) {
    shares.push_back({.node = node, .slots = 5 + node % 4});
  }
  const allocation uneven(*net, shares);
  const communication grid = make_communication("cart:7x6");
  const problem given{grid, {*net, uneven}};
  const placement before = random_order(given, 3);
  const placement after = arranged_inside_nodes(given, before, shape{2, 4}, enough);
  for (rank_t rank = 0; rank < before.size(); ++rank) {
    EXPECT_EQ(uneven.place_of(after[rank]), uneven.place_of(before[rank])) << rank;
  }
  placement slots = after;
  std::ranges::sort(slots);
  EXPECT_EQ(std::ranges::adjacent_find(slots), slots.end());
  EXPECT_LT(bytes_inside_nodes(given, after, shape{2, 4})[0],
            bytes_inside_nodes(given, before, shape{2, 4})[0]);
  EXPECT_EQ(arranged_inside_nodes(given, before, shape{2, 4}, std::chrono::seconds(0)), before);
}

TEST(InsideNodes, KeepsWhatIsBestAlready) {
  const auto net = make_network("mesh:4");
  const allocation all = allocation::whole(*net, 8);
  const communication row = make_communication("cart:32");
  const problem given{row, {*net, all}};
  EXPECT_EQ(arranged_inside_nodes(given, packed(given), shape{2, 2, 2}, enough), packed(given));
}

TEST(InsideNodes, RefusesMoreSlotsThanCoresAndNodesThatAreNone) {
  const auto net = make_network("mesh:4");
  const allocation all = allocation::whole(*net, 9);
  const communication row = make_communication("cart:32");
  const problem given{row, {*net, all}};
  for (const shape& inside : {shape{2, 4}, shape{2, 0}, shape{1 << 20, 2}}) {
    EXPECT_THROW(static_cast<void>(arranged_inside_nodes(given, packed(given), inside, enough)),
                 acre::error);
  }
}

}  // namespace
}  // namespace acre::mapping
