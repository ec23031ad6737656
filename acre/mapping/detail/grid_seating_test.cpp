// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/grid_seating.hpp>

#include <acre/mapping/recognition.hpp>
#include <acre/mapping/shuffled_traffic_test.hpp>

#include <gtest/gtest.h>

namespace {

using namespace acre::mapping;

void expect_all_ranks(std::vector<rank_t> cells, rank_t ranks) {
  std::erase(cells, invalid_rank);
  std::ranges::sort(cells);
  ASSERT_EQ(cells.size(), ranks);
  for (rank_t rank = 0; rank < ranks; ++rank) ASSERT_EQ(cells[rank], rank);
}

TEST(GridsThatAreNotFull, AreFoundWhereTheLastRowIsNot) {
  const traffic flows = stencil_traffic({33, 40}, star_steps(2, 1), borders::open,
                                        [](auto& at) { return at[0] < 32 || at[1] < 19; });
  const auto found = recognise(shuffled(flows));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{40, 33}));
  EXPECT_EQ(found->explained, 1);
  expect_all_ranks(found->ranks, flows.ranks());
  const auto numbered = recognise(flows);
  ASSERT_TRUE(numbered);
  EXPECT_EQ(numbered->extents, (std::vector<std::uint32_t>{33, 40}));
  EXPECT_EQ(numbered->ranks[1298], 1298U);
  EXPECT_EQ(numbered->ranks[1299], invalid_rank);
}

TEST(GridsThatAreNotFull, AreFoundWhereAQuarterIsMissing) {
  for (const auto& steps : {star_steps(2, 1), box_steps(2, 2)}) {
    const traffic flows = stencil_traffic({40, 36}, steps, borders::open,
                                          [](auto& at) { return at[0] < 20 || at[1] < 18; });
    for (const change& each : {change{}, change{.added = 0.05}, change{.missing = 0.01}}) {
      const auto found = recognise(shuffled(flows, each));
      ASSERT_TRUE(found);
      EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{40, 36}));
      EXPECT_GT(found->explained, 0.93);
      EXPECT_TRUE(found->remark.ends_with(", 25 % of it empty")) << found->remark;
      expect_all_ranks(found->ranks, flows.ranks());
    }
  }
}

TEST(GridsThatAreNotFull, AreFoundWhereIslandsAre) {
  const auto is_sea = [](const place_in_grid& at) {
    const auto far = [&](std::int64_t x, std::int64_t y, std::int64_t radius) {
      return (at[0] - x) * (at[0] - x) + (at[1] - y) * (at[1] - y) > radius * radius;
    };
    return far(10, 10, 6) && far(30, 8, 7) && far(22, 36, 9) && far(0, 48, 12) && far(44, 26, 5);
  };
  const traffic flows = stencil_traffic({48, 50}, star_steps(2, 1), borders::open, is_sea);
  for (const change& each : {change{}, change{.added = 0.05}, change{.missing = 0.01}}) {
    const auto found = recognise(shuffled(flows, each));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{50, 48})) << found->name;
    EXPECT_GT(found->explained, 0.93);
    expect_all_ranks(found->ranks, flows.ranks());
  }
}

}  // namespace
