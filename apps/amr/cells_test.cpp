// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/cells.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace acre::amr {
namespace {

values random_cells() {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> any(-1, 1);
  values found(cells_of_leaf);
  for (double& each : found) each = any(random);
  return found;
}

/// u = 3 x - y + 2 z at cell midpoints; `origin` and `side` in unit cells.
values linear_cells(const std::array<double, axes>& origin, double side) {
  values found;
  for (std::size_t i = 0; i < cells_of_leaf; ++i) {
    const double x = origin[0] + (static_cast<double>(i / cells_of_plane) + 0.5) * side;
    const double y = origin[1] + (static_cast<double>(i / cells_along % cells_along) + 0.5) * side;
    const double z = origin[2] + (static_cast<double>(i % cells_along) + 0.5) * side;
    found.push_back(3 * x - y + 2 * z);
  }
  return found;
}

void expect_near(const values& found, const values& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14) << i;
}

double sum(const values& of) { return std::accumulate(of.begin(), of.end(), 0.0); }

TEST(Cells, KeepTheirMeansWhenTheyAreSplitAndMerged) {
  const values cells = random_cells();
  values merged(cells_of_leaf);
  for (unsigned child = 0; child < children_of_node; ++child) {
    insert_child(restricted(prolonged(cells, child)), child, merged);
  }
  expect_near(merged, cells);
}

TEST(Cells, AreExactForLinearFunctionsInChildrenUpToTheBorder) {
  const values cells = linear_cells({}, 1);
  for (unsigned child = 0; child < children_of_node; ++child) {
    const auto from = [&](unsigned axis) { return lies_high(child, axis) ? 4.0 : 0.0; };
    const values expected = linear_cells({from(0), from(1), from(2)}, 0.5);
    const values found = prolonged(cells, child);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13);
  }
}

TEST(Cells, AreSplitByTheSlopesToTheirOwnNeighbours) {
  values cells(cells_of_leaf);
  for (std::size_t i = 0; i < cells_of_leaf; ++i) {
    const auto x = static_cast<double>(i / cells_of_plane);
    cells[i] = x * x;
  }
  const values low = prolonged(cells, 0);
  for (std::size_t x = 1; x < cells_along / 2; ++x) {
    const double slope = 2 * (low[(2 * x + 1) * cells_of_plane] - low[2 * x * cells_of_plane]);
    EXPECT_DOUBLE_EQ(slope, x == 1 ? 2 : 2 * static_cast<double>(x));
  }
}

TEST(Cells, AreToFinerNeighboursWhatTheyWouldBeInChildren) {
  const values cells = random_cells();
  for (const face f : faces) {
    for (unsigned part = 0; part < parts_of_face; ++part) {
      EXPECT_EQ(prolonged_border(cells, f, part), border(prolonged(cells, child_at(f, part)), f));
    }
  }
}

TEST(Cells, AreToACoarserNeighbourWhatTheyWouldBeInTheParent) {
  const values cells = random_cells();
  for (const face f : faces) {
    for (unsigned part = 0; part < parts_of_face; ++part) {
      const unsigned child = child_at(f, part);
      values parent(cells_of_leaf);
      insert_child(restricted(cells), child, parent);
      values whole(ghosts_of_face);
      insert_part(restricted_border(cells, f), part, whole);
      EXPECT_EQ(whole, border(parent, f));
    }
  }
}

TEST(Cells, RestrictFluxesToTheirMeans) {
  plane flux;
  std::iota(flux.begin(), flux.end(), 0.0);
  const values means = restricted(flux);
  ASSERT_EQ(means.size(), cells_of_plane / 4);
  EXPECT_EQ(means[0], (0 + 1 + 8 + 9) / 4.0);
  EXPECT_EQ(means[5], (18 + 19 + 26 + 27) / 4.0);
  EXPECT_DOUBLE_EQ(4 * sum(means), 63 * 64 / 2.0);
}

TEST(Cells, LimitSlopesAtExtremes) {
  EXPECT_EQ(limited(1, 3), 2);
  EXPECT_EQ(limited(-1, -9), -2);
  EXPECT_EQ(limited(1, -3), 0);
  EXPECT_EQ(limited(0, 1), 0);
}

TEST(Cells, SayTheirLargestJump) {
  EXPECT_EQ(largest_jump(linear_cells({}, 1)), 3);
  values spike(cells_of_leaf);
  spike.back() = -5;
  EXPECT_EQ(largest_jump(spike), 5);
}

}  // namespace
}  // namespace acre::amr
