// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/grid_choice.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace acre::global {
namespace {

using extents = std::vector<std::uint32_t>;

extents first_of(const grid_wish& wish, std::uint32_t members) {
  return grids_for(wish, members, 6).front();
}

TEST(GridChoice, PrefersLittleSurface) {
  EXPECT_EQ(first_of({{0, 0}}, 12), (extents{4, 3}));
  EXPECT_EQ(first_of({{0, 0, 0}}, 8), (extents{2, 2, 2}));
  EXPECT_EQ(first_of({{0, 0, 0}}, 24), (extents{4, 3, 2}));
  EXPECT_EQ(first_of({{0}}, 7), (extents{7}));
  EXPECT_EQ(first_of({{0, 0}}, 13), (extents{13, 1}));
}

TEST(GridChoice, KeepsGivenExtents) {
  EXPECT_EQ(first_of({{0, 2, 0}}, 24), (extents{4, 2, 3}));
  EXPECT_EQ(grids_for({{4, 2}}, 100, 6), (std::vector<extents>{{4, 2}}));
  EXPECT_THROW(static_cast<void>(grids_for({{0, 5}}, 12, 6)), acre::error);
}

TEST(GridChoice, FollowsTheExtentsOfAMatrix) {
  EXPECT_EQ(first_of({{0, 0}, {800, 200}}, 4), (extents{4, 1}));
  EXPECT_EQ(first_of({{0, 0}, {200, 800}}, 4), (extents{1, 4}));
  EXPECT_EQ(first_of({{0, 0, 0}, {1000, 1000, 2}}, 16), (extents{4, 4, 1}));
  EXPECT_EQ(first_of({{0, 0}, {3, 1000}}, 8), (extents{1, 8})) << "no empty boxes";
}

TEST(GridChoice, OffersGridsOfNearlyTheSameSurface) {
  const auto grids = grids_for({{0, 0}}, 12, 6);
  EXPECT_EQ(grids, (std::vector<extents>{{4, 3}, {3, 4}, {6, 2}, {2, 6}}));
  EXPECT_EQ(grids_for({{0, 0, 0}}, 4096, 6).size(), 6U);
}

TEST(GridChoice, WeighsDimensionsByFaces) {
  const auto flows = stencil_on({2, 2}, {100, 200}).traffic;
  // Faces of boxes of 50 x 100 elements: 100 across rows, 50 across columns.
  double rows = 0;
  double columns = 0;
  for (const auto& flow : flows.from(0)) (flow.to == 2 ? rows : columns) += flow.bytes;
  EXPECT_DOUBLE_EQ(rows, 2 * columns);
}

}  // namespace
}  // namespace acre::global
