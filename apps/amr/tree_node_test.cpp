// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/tree_node.hpp>

#include <acre/base/error.hpp>
#include <acre/global/wire/serialization.hpp>

#include <gtest/gtest.h>

#include <deque>
#include <iterator>
#include <map>

namespace acre::amr {
namespace {

using world = std::map<std::uint64_t, tree_node>;

world first_world(const problem& given) {
  world nodes;
  for (tree_node& each : first_nodes(given)) {
    each.fill();
    nodes.emplace(each.where().key(), std::move(each));
  }
  return nodes;
}

void deliver(world& nodes, std::deque<letter>& under_way, std::size_t most) {
  for (std::size_t i = 0; i < most && !under_way.empty(); ++i) {
    const letter next = std::move(under_way.front());
    under_way.pop_front();
    std::ranges::move(nodes.at(next.to.key()).take(next.content), std::back_inserter(under_way));
  }
}

std::deque<letter> start_all(world& nodes, std::uint32_t stage) {
  std::deque<letter> under_way;
  for (auto& [key, each] : nodes) {
    std::ranges::move(each.start(stage), std::back_inserter(under_way));
  }
  return under_way;
}

TEST(TreeNode, GoesOnWhereItWasWhenItHasTravelledInTheMiddleOfAStep) {
  constexpr std::size_t all = 100'000;
  world staying = first_world({});
  world moving = staying;
  std::deque<letter> to_staying = start_all(staying, 5);
  std::deque<letter> to_moving = start_all(moving, 5);
  deliver(staying, to_staying, all);
  while (!to_moving.empty()) {
    deliver(moving, to_moving, 17);
    for (auto& [key, each] : moving) each = deserialize<tree_node>(serialize(each));
    for (letter& each : to_moving) each.content = deserialize<message>(serialize(each.content));
  }
  for (const auto& [key, each] : staying) {
    EXPECT_EQ(moving.at(key).cells(), each.cells());
    EXPECT_EQ(moving.at(key).stage(), 5U);
  }
}

TEST(TreeNode, RefusesWhatIsForAnotherStageOrNoLeaf) {
  world nodes = first_world({});
  tree_node& root = nodes.at(1);
  tree_node& leaf = nodes.at(8);
  EXPECT_FALSE(root.is_leaf());
  EXPECT_TRUE(leaf.is_leaf());
  EXPECT_THROW((void)root.take(slab{}), error);
  slab early;
  early.stage = 2;
  EXPECT_THROW((void)leaf.take(early), error);
}

TEST(TreeNode, CostsOneAmongItsLikeAndNothingWithoutCells) {
  world nodes = first_world({});
  EXPECT_EQ(nodes.at(1).cost(), 0);
  EXPECT_EQ(nodes.at(8).cost(), 1);
}

}  // namespace
}  // namespace acre::amr
