// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/plan.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace {

using grid_parts = std::vector<std::size_t>;
using phases = std::vector<std::vector<acre::array_use>>;
namespace use = acre::use;

const grid_parts by_rows{4, 1};
const grid_parts by_columns{1, 4};

TEST(Plan, RedistributesBetweenLinesOfTwoDimensions) {
  // Own 16 x 64 elements, of which 16 x 16 stay; in place, 3/4 of them would be read and written.
  const auto made =
      acre::plan(4, {{.extents = {64, 64}}}, {{use::lines(0, 1)}, {use::lines(0, 0)}});
  EXPECT_EQ(made.parts, (std::vector<std::vector<grid_parts>>{{by_rows}, {by_columns}}));
  EXPECT_EQ(made.bytes, 16 * 48 * 8);
  EXPECT_TRUE(made.is_changed_before(1, 0));
  EXPECT_FALSE(made.is_changed_before(0, 0));
  EXPECT_EQ((made.grid<2>(1, 0)), (acre::layout::coordinates<2>{1, 4}));
}

TEST(Plan, DividesAStencilIntoSquares) {
  const auto made = acre::plan(16, {{.extents = {64, 64}}}, {{use::stencil(0, 1)}});
  EXPECT_EQ(made.parts, (std::vector<std::vector<grid_parts>>{{{4, 4}}}));
  EXPECT_EQ(made.bytes, 4 * 16 * 8);
}

TEST(Plan, ComparesStepsWithARedistribution) {
  // Rows: 2 x 64 elements a step. 8 x 2 boxes: 2 x 32 + 8 a step, once 4 x 32 to become rows.
  // Squares: 4 x 16 a step, once 4 x 48.
  const auto after = [](std::size_t steps) {
    return acre::plan(16, {{.extents = {64, 64}}},
                      {{use::stencil(0, 1, steps)}, {use::lines(0, 1)}});
  };
  EXPECT_EQ(after(2).parts, (std::vector<std::vector<grid_parts>>{{{16, 1}}, {{16, 1}}}));
  EXPECT_EQ(after(2).bytes, 2 * 128 * 8);
  EXPECT_EQ(after(4).parts, (std::vector<std::vector<grid_parts>>{{{8, 2}}, {{16, 1}}}));
  EXPECT_EQ(after(4).bytes, (4 * 72 + 128) * 8);
  EXPECT_EQ(after(20).parts, (std::vector<std::vector<grid_parts>>{{{4, 4}}, {{16, 1}}}));
  EXPECT_EQ(after(20).bytes, (20 * 64 + 192) * 8);
}

TEST(Plan, MovesTheSmallerOfTwoArrays) {
  const phases flow{{use::lines(0, 1)}, {use::together(1, 0)}, {use::lines(1, 0)}};
  const auto made = acre::plan(
      4, {{.extents = {64, 64}, .element_bytes = 4}, {.extents = {64, 64}, .element_bytes = 8}},
      flow);
  EXPECT_EQ(made.bytes, 16 * 48 * 4);
  EXPECT_EQ(made.parts[0][0], by_rows);
  for (const auto& phase : made.parts) EXPECT_EQ(phase[1], by_columns);
}

TEST(Plan, ChangesNothingWithoutAGain) {
  const auto made = acre::plan(4, {{.extents = {64, 64}}, {.extents = {64, 64}}},
                               {{use::lines(0, 1)}, {use::elements(0), use::together(0, 1)}});
  EXPECT_EQ(made.bytes, 0);
  EXPECT_FALSE(made.is_changed_before(1, 0));
  EXPECT_FALSE(made.is_changed_before(1, 1));
  EXPECT_EQ(made.parts[1][1], by_rows);
}

TEST(Plan, GivesEachMemberElements) {
  EXPECT_EQ(acre::grids_of(6, {.extents = {2, 9}}), (std::vector<grid_parts>{{1, 6}, {2, 3}}));
  EXPECT_THROW(static_cast<void>(acre::plan(7, {{.extents = {6, 6}}}, {})), acre::error);
}

TEST(Plan, RefusesInvalidUses) {
  const std::vector<acre::planned_array> arrays{{.extents = {8, 8}}, {.extents = {8}}};
  for (const acre::array_use wrong : {use::lines(2, 0), use::lines(1, 1), use::together(0, 1)}) {
    EXPECT_THROW(static_cast<void>(acre::plan(2, arrays, {{wrong}})), acre::error);
  }
  try {
    static_cast<void>(acre::plan(2, arrays, {{use::lines(1, 1)}}));
  } catch (const acre::error& reason) {
    EXPECT_NE(std::string(reason.what()).find("lines along dimension 1 of array 1, which has 1"),
              std::string::npos)
        << reason.what();
  }
}

/// Least bytes, by trying all sequences of grids.
double least_bytes(const std::vector<acre::planned_array>& arrays,
                   const std::vector<std::vector<grid_parts>>& grids, const phases& flow,
                   std::size_t phase, const std::vector<grid_parts>& before) {
  if (phase == flow.size()) return 0;
  double least = 1e300;
  for (const grid_parts& first : grids[0]) {
    for (const grid_parts& second : grids[1]) {
      const std::vector<grid_parts> now{first, second};
      double bytes = least_bytes(arrays, grids, flow, phase + 1, now);
      for (std::size_t a = 0; a < 2 && phase != 0; ++a) {
        bytes += acre::moved_bytes(arrays[a], before[a], now[a]);
      }
      for (const acre::array_use& each : flow[phase]) {
        bytes += acre::used_bytes(each, arrays, now[each.array], now[each.other]);
      }
      least = std::min(least, bytes);
    }
  }
  return least;
}

TEST(Plan, IsTheBestOfAllSequences) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  for (int run = 0; run < 40; ++run) {
    const std::vector<std::size_t> extents{8 + below(9), 8 + below(9)};
    const std::vector<acre::planned_array> arrays{
        {.extents = extents, .element_bytes = 1 + below(8)},
        {.extents = extents, .element_bytes = 1 + below(8)}};
    const acre::layout::member_t members = below(2) == 0 ? 4 : 6;
    phases flow(3);
    for (auto& phase : flow) {
      for (std::size_t uses = 1 + below(3); uses > 0; --uses) {
        switch (below(3)) {
          case 0:
            phase.push_back(use::lines(below(2), below(2)));
            break;
          case 1:
            phase.push_back(use::stencil(below(2), 1, 1 + below(9)));
            break;
          default:
            phase.push_back(use::together(below(2), below(2)));
        }
      }
    }
    const std::vector<std::vector<grid_parts>> grids{acre::grids_of(members, arrays[0]),
                                                     acre::grids_of(members, arrays[1])};
    const auto made = acre::plan(members, arrays, flow);
    EXPECT_DOUBLE_EQ(made.bytes, least_bytes(arrays, grids, flow, 0, {}));
    // The sequence costs what the plan states.
    double bytes = 0;
    for (std::size_t phase = 0; phase < flow.size(); ++phase) {
      const auto& now = made.parts[phase];
      for (std::size_t a = 0; a < 2 && phase != 0; ++a) {
        bytes += acre::moved_bytes(arrays[a], made.parts[phase - 1][a], now[a]);
      }
      for (const acre::array_use& each : flow[phase]) {
        bytes += acre::used_bytes(each, arrays, now[each.array], now[each.other]);
      }
    }
    EXPECT_DOUBLE_EQ(made.bytes, bytes);
  }
}

}  // namespace
