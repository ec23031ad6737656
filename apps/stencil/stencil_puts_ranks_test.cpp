// SPDX-License-Identifier: BSD-3-Clause
#include <apps/stencil/stencil_puts.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace acre::stencil {
namespace {

grid_extents grid_of(const team& members) {
  const auto ranks = static_cast<std::uint32_t>(members.size());
  return ranks % 4 == 0 ? grid_extents{2, ranks / 4, 2} : grid_extents{1, ranks, 1};
}

TEST(StencilPutsSmoke, PutEachSizeToAllNeighbours) {
  stencil_puts puts(world(), grid_of(world()), 70'000);
  for (const std::size_t bytes : {1U, 8U, 4096U, 70'000U}) {
    EXPECT_GE(puts.run(bytes, 2), 0);
    EXPECT_TRUE(puts.is_right(bytes));
    world().barrier();
  }
}

TEST(StencilPuts, AFaultInAMessageIsFound) {
  stencil_puts puts(world(), grid_of(world()), 64);
  static_cast<void>(puts.run(32, 1));
  EXPECT_TRUE(puts.is_right(32));
  EXPECT_EQ(puts.is_right(33), puts.neighbours().empty());  // byte 32 was not sent
  world().barrier();
}

TEST(StencilPuts, NeighboursAreMutual) {
  const stencil_puts puts(world(), grid_of(world()), 1);
  std::vector<int> pairs(std::size_t{size()} * size());
  for (const neighbour& each : puts.neighbours()) {
    ASSERT_LT(each.member, size());
    ++pairs[std::size_t{rank()} * size() + each.member];
  }
  std::vector<int> all(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) all[i] = world().allreduce(pairs[i]);
  for (rank_t a = 0; a < size(); ++a) {
    EXPECT_EQ(all[std::size_t{a} * size() + a], 0);
    for (rank_t b = 0; b < a; ++b) {
      EXPECT_LE(all[std::size_t{a} * size() + b], 1);
      EXPECT_EQ(all[std::size_t{a} * size() + b], all[std::size_t{b} * size() + a]);
    }
  }
}

}  // namespace
}  // namespace acre::stencil
