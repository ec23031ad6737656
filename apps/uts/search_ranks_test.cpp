// SPDX-License-Identifier: BSD-3-Clause
#include <apps/uts/search.hpp>
#include <gtest/gtest.h>

namespace acre::uts {
namespace {

constexpr tree wide{.seed = 19, .root_branching = 4, .depth_limit = 6};
constexpr tree deep{
    .kind = branching::binomial, .seed = 42, .root_branching = 60, .chance = 0.124875, .many = 8};

TEST(SearchSmoke, CountsEachNodeOnceHoweverOftenItIsStolen) {
  for (const tree& each : {wide, deep}) {
    const census all = count_below(each, each.root());
    for (const std::size_t nodes_a_call : {1U, 7U, 100U}) {
      const search_result counted = search(each, nodes_a_call);
      EXPECT_EQ(counted.found, all);
      EXPECT_EQ(counted.stolen > 0, size() > 1);
    }
  }
}

TEST(Search, CountsATreeOfOneNode) {
  const tree single{.seed = 19, .depth_limit = 0};
  EXPECT_EQ(search(single).found, (census{1, 1, 0}));
}

TEST(Search, T1AndT3HaveThePublishedSizes) {
  if (size() != 4) return;
  for (const tree& each : {t1, t3}) EXPECT_EQ(search(each).found, each.expected) << each.name;
}

}  // namespace
}  // namespace acre::uts
