// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/slot_order.hpp>

#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::node_t;

using sizes = std::vector<std::uint32_t>;

void expect_each_slot_once(const slot_order& order, std::size_t slots) {
  std::vector<acre::topology::slot_t> there;
  std::ranges::copy_if(order.slots, std::back_inserter(there),
                       [](auto slot) { return slot != slot_order::missing; });
  std::ranges::sort(there);
  ASSERT_EQ(there.size(), slots);
  for (std::size_t i = 0; i < slots; ++i) EXPECT_EQ(there[i], i);
}

TEST(SlotOrder, HasTheSizesOfGroupsThatAreAlike) {
  const auto net = acre::topology::make_network("tree:3x4x5");
  const allocation all = allocation::whole(*net, 2);
  const slot_order order = slots_by_group({*net, all});
  EXPECT_EQ(order.sizes, (sizes{2, 10, 40}));
  EXPECT_EQ(order.slots.size(), 120U);
  expect_each_slot_once(order, 120);
}

std::vector<allocation::share> equal_but_one(node_t nodes, std::uint32_t slots,
                                             allocation::share other) {
  std::vector<allocation::share> shares;
  for (node_t node = 0; node < nodes; ++node) shares.push_back({.node = node, .slots = slots});
  shares[other.node] = other;
  return shares;
}

TEST(SlotOrder, FillsSmallerNodesAndGroupsUp) {
  const auto net = acre::topology::make_network("tree:3x4");
  const allocation some(*net, equal_but_one(11, 3, {.node = 5, .slots = 1}));
  const slot_order order = slots_by_group({*net, some});
  EXPECT_EQ(order.sizes, (sizes{3, 12}));
  EXPECT_EQ(order.slots.size(), 36U);
  EXPECT_EQ(order.slots[15], some.first_slot(5));
  EXPECT_EQ(order.slots[16], slot_order::missing);
  EXPECT_EQ(order.slots[24], some.first_slot(8));
  EXPECT_EQ(order.slots[35], slot_order::missing);
  expect_each_slot_once(order, 31);
}

TEST(SlotOrder, HasNoGroupsWhereNodesDifferTooMuch) {
  const auto net = acre::topology::make_network("tree:3x40");
  const allocation some(*net, equal_but_one(120, 1, {.node = 7, .slots = 500}));
  const slot_order order = slots_by_group({*net, some});
  EXPECT_TRUE(order.sizes.empty());
  expect_each_slot_once(order, 619);
}

}  // namespace
