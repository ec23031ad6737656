// SPDX-License-Identifier: BSD-3-Clause
// Grid teams: teams with coordinates.
#include <acre/base/error.hpp>
#include <acre/global/memory/setting_test.hpp>
#include <acre/global/team/team.hpp>
#include <acre/mapping/communication.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using acre::rank_t;
using acre::team;
using acre::global_test::setting;

void expect_numbers_of_all(const team& grid, rank_t size) {
  const auto teams = acre::world().allgather(grid ? grid.rank() : ~rank_t{0});
  std::vector<bool> seen(size, false);
  for (const rank_t number : teams) {
    if (number == ~rank_t{0}) continue;
    ASSERT_LT(number, size);
    EXPECT_FALSE(seen[number]);
    seen[number] = true;
  }
  for (const bool each : seen) EXPECT_TRUE(each);
  if (!grid) return;
  EXPECT_EQ(grid.allreduce(1), static_cast<int>(size));
}

TEST(CartesianSmoke, GivesEachPlaceOfTheGridToOneRank) {
  const rank_t size = acre::world().size();
  expect_numbers_of_all(team::cartesian({size}), size);
  if (size >= 4) expect_numbers_of_all(team::cartesian({2, size / 2}), size / 2 * 2);
  if (size >= 7) expect_numbers_of_all(team::cartesian({1, 3, 2}), 6);
}

TEST(Cartesian, ChoosesExtents) {
  const rank_t size = acre::world().size();
  const auto product = [](const team& grid) {
    rank_t cells = 1;
    for (const rank_t each : grid.extents()) cells *= each;
    return cells;
  };
  EXPECT_EQ(team::cartesian({size, 0}).extents(), (std::vector<rank_t>{size, 1}));
  const team cube = team::cartesian<3>();
  EXPECT_EQ(cube.extents().size(), 3U);
  EXPECT_EQ(product(cube), size);
  expect_numbers_of_all(cube, size);
  EXPECT_EQ(team::cartesian_for({size * 1000, 2}).extents(), (std::vector<rank_t>{size, 1}));
  EXPECT_EQ(team::cartesian_for({2, size * 1000}).extents(), (std::vector<rank_t>{1, size}));
  EXPECT_EQ(cube.allreduce(cube.extents()[0], acre::op::max), cube.extents()[0]);
}

TEST(Cartesian, NumbersMembersByCoordinates) {
  const rank_t size = acre::world().size();
  if (size % 2 != 0) return;
  const team grid = team::cartesian({0, 2});
  for (rank_t number = 0; number < size; ++number) {
    const auto at = grid.coordinates(number);
    ASSERT_EQ(at, (std::vector<rank_t>{number / 2, number % 2}));
    EXPECT_EQ(grid.at({at[0], at[1]}), grid[number]);
  }
  EXPECT_THROW(static_cast<void>(grid.at({size / 2, 0})), acre::error);
  EXPECT_THROW(static_cast<void>(grid.at({0})), acre::error);
  EXPECT_EQ(grid.spec<2>().parts, (acre::layout::coordinates<2>{size / 2, 2}));
  EXPECT_EQ(grid.spec<3>().parts, acre::layout::coordinates<3>{});
  EXPECT_TRUE(acre::world().extents().empty());
  EXPECT_THROW(static_cast<void>(acre::world().at({0})), acre::error);
}

TEST(Cartesian, KeepsRowsOfARowwisePatternOnNodes) {
  const rank_t size = acre::world().size();
  const std::uint32_t rows = size / acre::node().size();
  const bool even =
      acre::world().allreduce(rows * acre::node().size() == size, acre::op::logical_and);
  if (!even) return;
  const std::uint32_t columns = size / rows;
  const team grid = team::cartesian(
      {columns, rows}, acre::mapping::all_to_all(acre::mapping::line::column, columns, rows));
  const team column = grid.split(static_cast<int>(grid.rank() % rows));
  const auto nodes = column.allgather(acre::runtime::node_of(acre::world().rank()));
  for (const std::uint32_t node : nodes) EXPECT_EQ(node, nodes[0]);
}

TEST(Cartesian, TakesTheNetworkFromTheEnvironment) {
  const std::uint32_t nodes = acre::runtime::node_count();
  const setting topology("ACRE_TOPOLOGY", "torus:4x4x4");
  const setting numbers("ACRE_NODES", "63,2-40");
  const rank_t size = acre::world().size();
  if (nodes <= 40) expect_numbers_of_all(team::cartesian({size}), size);
}

TEST(Cartesian, TellsAllRanksWhatIsWrong) {
  const rank_t size = acre::world().size();
  EXPECT_THROW(static_cast<void>(team::cartesian({size + 1})), acre::error);
  EXPECT_THROW(static_cast<void>(team::cartesian({})), acre::error);
  EXPECT_THROW(static_cast<void>(team::cartesian({size + 1, 0})), acre::error);
  EXPECT_THROW(static_cast<void>(team::cartesian_for({8, 0})), acre::error);
  EXPECT_THROW(static_cast<void>(team::cartesian({1}, acre::mapping::make_communication("cart:2"))),
               acre::error);
  {
    const setting topology("ACRE_TOPOLOGY", "donut:4");
    EXPECT_THROW(static_cast<void>(team::cartesian({size})), acre::error);
  }
  if (acre::runtime::node_count() == 1) return;
  {
    const setting topology("ACRE_TOPOLOGY", "torus:1");
    EXPECT_THROW(static_cast<void>(team::cartesian({size})), acre::error);
  }
  const setting numbers("ACRE_NODES", "7");
  EXPECT_THROW(static_cast<void>(team::cartesian({size})), acre::error);
}

}  // namespace
