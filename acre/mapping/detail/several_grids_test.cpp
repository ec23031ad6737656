// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/several_grids.hpp>

#include <acre/mapping/shuffled_traffic_test.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using namespace acre::mapping;

traffic coupled(const std::vector<traffic>& some, double bytes) {
  std::vector<traffic::message> messages;
  rank_t first = 0;
  for (const traffic& each : some) {
    for (rank_t rank = 0; rank < each.ranks(); ++rank) {
      for (const auto& flow : each.from(rank)) {
        messages.push_back({first + rank, first + flow.to, flow.bytes});
      }
      if (first > 0 && bytes > 0) messages.push_back({first + rank, rank % first, bytes});
    }
    first += each.ranks();
  }
  return {first, messages};
}

TEST(SeveralGrids, OfOneKindAreOneGridSideBySide) {
  const traffic one = stencil_traffic({8, 6, 4}, star_steps(3, 1), borders::open);
  const traffic flows = shuffled(coupled({one, one, one, one}, 0));
  const auto found = recognise(flows);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "4 times a grid of 8x6x4");
  EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{32, 6, 4}));
  EXPECT_EQ(found->explained, 1);
  std::vector<rank_t> once = found->ranks;
  std::ranges::sort(once);
  for (rank_t rank = 0; rank < flows.ranks(); ++rank) ASSERT_EQ(once[rank], rank);
}

TEST(SeveralGrids, ThatTalkALittleAreTakenApart) {
  const traffic ocean = stencil_traffic({30, 20}, star_steps(2, 1), borders::open);
  const traffic air = stencil_traffic({24, 12}, box_steps(2, 2), borders::joined);
  const traffic flows = shuffled(coupled({ocean, air}, 0.05));
  const auto found = recognise(flows);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "2 parts: a grid of 30x20, a grid of 24x12");
  EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{54, 20}));
  EXPECT_GT(found->explained, 0.95);
  std::vector<rank_t> once = found->ranks;
  std::erase(once, invalid_rank);
  std::ranges::sort(once);
  ASSERT_EQ(once.size(), flows.ranks());
  for (rank_t rank = 0; rank < flows.ranks(); ++rank) ASSERT_EQ(once[rank], rank);
}

TEST(SeveralGrids, ThatTalkHereAndThereAsMuchAsWithinAreTakenApart) {
  const traffic ocean = stencil_traffic({60, 40}, star_steps(2, 1), borders::open);
  const traffic air = stencil_traffic({30, 20}, star_steps(2, 1), borders::open);
  std::vector<traffic::message> messages;
  const traffic both = coupled({ocean, air}, 0);
  for (rank_t rank = 0; rank < both.ranks(); ++rank) {
    for (const auto& [to, bytes] : both.from(rank)) messages.push_back({rank, to, bytes});
  }
  std::mt19937_64 random(5);
  for (rank_t i = 0; i < 500; ++i) {
    messages.push_back({static_cast<rank_t>(random() % ocean.ranks()),
                        static_cast<rank_t>(ocean.ranks() + random() % air.ranks()), 1});
  }
  const auto found = recognise(shuffled({both.ranks(), messages}));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->name.starts_with("2 parts")) << found->name;
  // Single ranks may count as the other part's.
  EXPECT_LE(found->extents[0], 92U);
  EXPECT_EQ(found->extents[1], 40U);
  EXPECT_GT(found->explained, 0.9);
}

TEST(SeveralGrids, OfVeryDifferentShapesFollowEachOther) {
  const traffic square = stencil_traffic({40, 40}, star_steps(2, 1), borders::open);
  const traffic long_one = stencil_traffic({400, 4}, star_steps(2, 1), borders::open);
  const auto found = recognise(shuffled(coupled({square, long_one}, 0)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{3200}));
  EXPECT_EQ(found->explained, 1);
  EXPECT_EQ(std::ranges::count(found->ranks, invalid_rank), 0);
}

}  // namespace
