// SPDX-License-Identifier: BSD-3-Clause
// Trees of published sizes, and small ones against Python's hashlib.
#include <apps/uts/tree.hpp>

#include <gtest/gtest.h>

#include <array>

namespace acre::uts {
namespace {

constexpr tree wide{.seed = 19, .root_branching = 4, .depth_limit = 6};
constexpr tree deep{
    .kind = branching::binomial, .seed = 42, .root_branching = 60, .chance = 0.124875, .many = 8};

TEST(Sha1, IsThatOfOtherLibraries) {
  constexpr std::array<std::uint32_t, 1> abcd{0x61626364};
  EXPECT_EQ(sha1({}), (sha1_digest{0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709}));
  EXPECT_EQ(sha1(abcd), (sha1_digest{0x81fe8bfe, 0x87576c3e, 0xcb22426f, 0x8e578473, 0x82917acf}));
}

TEST(UnbalancedTree, DrawsTheStatesOfTheBenchmark) {
  const node root = wide.root();
  EXPECT_EQ(root.state, (sha1_digest{0xc6988ab7, 0x0cc9559a, 0xe4d6cba2, 0x54e29a84, 0x5a85f86b}));
  EXPECT_EQ(tree::child(root, 3).state,
            (sha1_digest{0x4e62c778, 0x9552ef31, 0xfa428ed5, 0xd9023d3f, 0x3ec368ef}));
  EXPECT_EQ(tree::child(root, 3).depth, 1U);
}

TEST(UnbalancedTree, HasAsManyNodesAsCountedElsewhere) {
  EXPECT_EQ(count_below(wide, wide.root()), (census{16'000, 12'839, 6}));
  EXPECT_EQ(count_below(deep, deep.root()), (census{6'549, 5'737, 67}));
}

TEST(UnbalancedTree, IsTheSumOfTheTreesBelowItsRoot) {
  const node root = deep.root();
  census sum{1, 0, 0};
  for (std::uint32_t i = 0; i < deep.children(root); ++i) {
    sum += count_below(deep, tree::child(root, i));
  }
  EXPECT_EQ(sum, count_below(deep, root));
}

TEST(UnbalancedTree, T1AndT3HaveThePublishedSizes) {
  for (const tree& each : {t1, t3}) {
    EXPECT_EQ(count_below(each, each.root()), each.expected) << each.name;
  }
}

}  // namespace
}  // namespace acre::uts
