// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/face_neighbours.hpp>

#include <acre/mapping/recognition.hpp>
#include <acre/mapping/shuffled_traffic_test.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace acre::mapping;

struct stencil_case {
  std::string points;
  std::vector<std::int64_t> extents;
  std::vector<place_in_grid> steps;
};

class Stencils : public testing::TestWithParam<stencil_case> {};

TEST_P(Stencils, OfEqualMessagesAreFoundWhateverTheOrderOfTheirRanks) {
  const auto& [points, extents, steps] = GetParam();
  for (const borders ends : {borders::open, borders::joined}) {
    const traffic flows = stencil_traffic(extents, steps, ends);
    for (const change& each : {change{}, change{.added = 0.05}, change{.missing = 0.01}}) {
      const auto found = recognise(shuffled(flows, each));
      ASSERT_TRUE(found) << each.added << " more, " << each.missing << " fewer";
      EXPECT_TRUE(std::ranges::equal(found->extents, extents)) << found->name;
      EXPECT_EQ(found->remark, " with a stencil of " + points + " points");
      EXPECT_GT(found->explained, 0.93);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Recognition, Stencils,
                         testing::Values(stencil_case{"9", {30, 22}, box_steps(2, 2)},
                                         stencil_case{"19", {14, 11, 9}, box_steps(3, 2)},
                                         stencil_case{"27", {14, 11, 9}, box_steps(3, 3)},
                                         stencil_case{"9", {30, 22}, star_steps(2, 2)},
                                         stencil_case{"13", {14, 11, 9}, star_steps(3, 2)}));

TEST(FaceNeighbours, AreThoseOfOneStep) {
  const traffic pairs = both_ways(stencil_traffic({12, 10}, box_steps(2, 2), borders::joined));
  const acre::mapping::neighbour_lists all(pairs, [](rank_t, auto&) { return true; });
  EXPECT_TRUE(mostly_in_triangles(all));
  acre::mapping::deadline end(acre::mapping::deadline::time_point::max());
  const acre::mapping::neighbour_lists faces = face_neighbours(all, end);
  for (rank_t rank = 0; rank < faces.ranks(); ++rank) EXPECT_EQ(faces.of(rank).size(), 4U) << rank;
  EXPECT_TRUE(faces.are_neighbours(0, 1));
  EXPECT_TRUE(faces.are_neighbours(0, 10));
  EXPECT_FALSE(faces.are_neighbours(0, 11));
}

}  // namespace
