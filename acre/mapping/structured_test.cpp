// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/structured.hpp>

#include <acre/base/error.hpp>
#include <acre/mapping/hierarchical.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

bool is_permutation_of_slots(placement places, std::size_t slots) {
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) == places.end() && places.back() < slots;
}

TEST(Structured, PacksAndDealsOut) {
  const auto net = make_network("mesh:3");
  const allocation uneven(
      *net, {{.node = 2, .slots = 1}, {.node = 0, .slots = 3}, {.node = 1, .slots = 2}});
  const communication five = make_communication("cart:5");
  const problem given{five, {*net, uneven}};
  EXPECT_EQ(packed(given), (placement{0, 1, 2, 3, 4}));
  EXPECT_EQ(round_robin(given), (placement{0, 1, 4, 2, 5}));
  EXPECT_TRUE(is_permutation_of_slots(random_order(given, 1), 6));
  EXPECT_EQ(random_order(given, 5), random_order(given, 5));
}

TEST(Structured, RefusesMoreRanksThanSlots) {
  const auto net = make_network("mesh:3");
  const allocation all = allocation::whole(*net, 2);
  const communication seven = make_communication("cart:7");
  const problem given{seven, {*net, all}};
  EXPECT_THROW(static_cast<void>(packed(given)), acre::error);
  EXPECT_THROW(static_cast<void>(round_robin(given)), acre::error);
  EXPECT_THROW(
      static_cast<void>(matched(given, rows(seven.extents), nodes_along(given.where, rows))),
      acre::error);
}

TEST(Structured, TakesTheNodesOfAnAllocationAlongACurve) {
  const auto net = make_network("torus:4x2*2");
  const allocation some(*net, {{.node = 9, .slots = 1},
                               {.node = 8, .slots = 1},
                               {.node = 15, .slots = 1},
                               {.node = 0, .slots = 1}});
  EXPECT_EQ(nodes_along({*net, some}, snake), (std::vector<std::uint32_t>{3, 2, 0, 1}));
  const auto tree = make_network("tree:2x2");
  const allocation whole = allocation::whole(*tree, 1);
  EXPECT_THROW(static_cast<void>(nodes_along({*tree, whole}, snake)), acre::error);
}

TEST(Structured, MapsBlocksOfAGridOntoATorusOfTheSameShapeWithoutAWayTooLong) {
  const auto net = make_network("torus:8x8x6");
  const allocation all = allocation::whole(*net, 24);
  const communication stencil = make_communication("cart:24x24x16");
  const problem given{stencil, {*net, all}};
  const std::vector<std::uint32_t> block{4, 3, 2};
  const order in_blocks =
      blocks(stencil.extents, block, rows(block_counts(stencil.extents, block)), rows);
  const placement places = matched(given, in_blocks, nodes_along(given.where, rows));
  EXPECT_TRUE(is_permutation_of_slots(places, 9216));
  const metrics measured = measure(given.where, stencil.traffic, places);
  EXPECT_EQ(measured.largest_dilation, 1U);
  EXPECT_LT(measured.largest_load,
            measure(given.where, stencil.traffic, packed(given)).largest_load / 5);
}

TEST(Structured, SkipsCellsThatHaveNoRank) {
  const auto net = make_network("torus:4x2");
  const allocation all = allocation::whole(*net, 1);
  communication most = without_grid("seven ranks", traffic(7, {}));
  most.extents = {4, 2};
  most.ranks_of_cells = {6, 5, 4, invalid_rank, 3, 2, 1, 0};
  EXPECT_TRUE(most.has_empty_cells());
  const problem given{most, {*net, all}};
  EXPECT_EQ(
      matched_cells(given, rows(most.extents), std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}),
      (placement{6, 5, 4, 3, 2, 1, 0}));
  EXPECT_TRUE(is_permutation_of_slots(hierarchical(given), 8));
}

TEST(Structured, ShapesBlocksOfTheLeastSurface) {
  using shape = std::vector<std::uint32_t>;
  const auto shapes = block_shapes(shape{24, 24, 16}, 24, 1000);
  ASSERT_FALSE(shapes.empty());
  shape best = shapes[0];
  std::ranges::sort(best);
  EXPECT_EQ(best, (shape{2, 3, 4}));
  EXPECT_EQ(shapes[0][2] % 2, 0U) << "16 is no multiple of three";
  for (const shape& each : shapes) EXPECT_EQ(each[0] * each[1] * each[2], 24U);
  EXPECT_TRUE(block_shapes(shape{5, 5}, 7, 10).empty());
  EXPECT_EQ(block_shapes(shape{16, 16}, 16, 1), (std::vector<shape>{{4, 4}}));
}

}  // namespace
