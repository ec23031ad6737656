// SPDX-License-Identifier: BSD-3-Clause
// Block matrices on teams that team::cartesian maps to a network.
#include <acre/block/block_model_test.hpp>
#include <acre/block/block_multiply.hpp>
#include <acre/global/memory/setting_test.hpp>
#include <acre/global/team/team.hpp>
#include <acre/mapping/communication.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace acre;
using namespace acre::testing_blocks;
using global_test::setting;

const block_sizes rows({3, 1, 4, 2, 5, 1, 3, 2});
const block_sizes inner({2, 2, 6, 1, 3, 4, 1});
const block_sizes columns({4, 1, 1, 2, 3, 5});

block_matrix<double> whole_numbers(const team& members, const block_distribution& lies, int seed) {
  block_matrix<double> made(members, lies);
  for (std::size_t i = 0; i < lies.rows().blocks(); ++i) {
    for (std::size_t j = 0; j < lies.columns().blocks(); ++j) {
      const auto number = static_cast<int>(i * 31 + j * 17) + seed;
      if (number % 3 == 0 || lies.owner(i, j) != members.rank()) continue;
      std::vector<double> values(std::size_t{lies.rows().size_of(i)} * lies.columns().size_of(j));
      for (std::size_t e = 0; e < values.size(); ++e) {
        values[e] = (number + static_cast<int>(e) * 7) % 11 - 5;
      }
      made.put_block(i, j, values);
    }
  }
  made.finalise();
  return made;
}

block_matrix<double> product_on(const team& members, member_grid grid,
                                multiply_algorithm algorithm) {
  const auto a = whole_numbers(members, {rows, inner, grid}, 1);
  const auto b = whole_numbers(members, {inner, columns, grid}, 2);
  block_matrix<double> c(members, {rows, columns, grid});
  multiply(1.0, a, b, 0.0, c, {.algorithm = algorithm});
  return c;
}

void expect_same_blocks(const block_matrix<double>& one, const block_matrix<double>& other) {
  for (std::size_t i = 0; i < rows.blocks(); ++i) {
    for (std::size_t j = 0; j < columns.blocks(); ++j) {
      EXPECT_EQ(one.get_block(i, j), other.get_block(i, j)) << "block " << i << ", " << j;
    }
  }
}

TEST(BlockMatrixOnCartesianTeam, MultipliesAsOnAllRanks) {
  const setting network("ACRE_TOPOLOGY", "torus:4x4x4");
  const setting nodes("ACRE_NODES", "63,2-40");
  const member_grid grid = member_grid::square(size());
  const std::vector<std::uint32_t> extents{grid.rows, grid.columns};
  const team of_reads = team::cartesian(extents, mapping::lines(grid.rows, grid.columns));
  const team of_shifts = team::cartesian(extents, mapping::shifts(grid.rows, grid.columns));
  using enum multiply_algorithm;
  const auto expected = product_on(world(), grid, one_sided);
  expect_same_blocks(product_on(of_reads, grid, one_sided), expected);
  expect_same_blocks(product_on(of_reads, grid, slicing), expected);
  expect_same_blocks(product_on(of_shifts, grid, cannon), expected);
  barrier();
}

TEST(BlockMatrixOnCartesianTeam, LiesWhereTheNetworkIsShort) {
  if (size() != 4 || runtime::node_count() != 4) return;
  // Ranks 0 and 1, and ranks 2 and 3, are most distant.
  const setting network("ACRE_TOPOLOGY", "torus:8");
  const setting nodes("ACRE_NODES", "0,4,1,5");
  const team grid = team::cartesian({2, 2}, mapping::lines(2, 2));
  const block_matrix<double> a(grid, {rows, columns, member_grid{.rows = 2, .columns = 2}});
  // Members 0 and 3, which share no grid row or column, are a distant pair.
  EXPECT_EQ(a.members().world_rank(0) / 2, a.members().world_rank(3) / 2);
  barrier();
}

TEST(BlockMatrixOnCartesianTeam, LeavesRanksOutOfIt) {
  const setting network("ACRE_TOPOLOGY", "torus:4x4x4");
  const rank_t side = size() >= 4 ? 2 : 1;
  const member_grid grid{.rows = side, .columns = side};
  const auto expected =
      product_on(world(), member_grid::square(size()), multiply_algorithm::cannon);
  if (const team some = team::cartesian({side, side})) {
    expect_same_blocks(product_on(some, grid, multiply_algorithm::one_sided), expected);
    some.barrier();
  }
  barrier();
}

}  // namespace
