// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_builder.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/csr/tiled/tiled_elementwise.hpp>
#include <acre/csr/tiled/tiled_matrix_test.hpp>
#include <acre/csr/tiled/tiled_transpose.hpp>
#include <acre/csr/transpose.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace acre::sparse_test;
using acre::member_grid;
using acre::tile_cut;

template <class T>
table_of<T> turned(const table_of<T>& all) {
  table_of<T> other;
  for (const auto& [place, value] : all) other[{place.second, place.first}] = value;
  return other;
}

template <class T>
void expect_tiled_transposes(const table_of<T>& all, std::size_t rows, std::size_t columns) {
  const auto a = spread(all, rows, columns);
  for (const member_grid& grid : all_grids()) {
    for (const tile_cut& cut :
         {tile_cut::equal(rows, columns, grid), uneven_tiles(rows, columns, grid)}) {
      const auto tiles = acre::tiled(a, cut);
      const auto transpose = acre::transpose(tiles);
      EXPECT_EQ(transpose.cut(), cut.transposed());
      EXPECT_EQ(transpose.rows(), columns);
      EXPECT_EQ(transpose.columns(), rows);
      EXPECT_EQ(transpose.entries(), all.size());
      EXPECT_EQ(table_from(transpose), turned(all));
      EXPECT_EQ(table_from(acre::transpose(transpose)), all);
      for (const member_grid& other : all_grids()) {
        const tile_cut wanted = uneven_tiles(columns, rows, other);
        const auto cut_otherwise = acre::transpose(tiles, wanted);
        EXPECT_EQ(cut_otherwise.cut(), wanted);
        EXPECT_EQ(table_from(cut_otherwise), turned(all));
      }
    }
  }
}

TEST(TiledTranspose, TurnsRowsIntoColumns) {
  expect_tiled_transposes(random_table(20, 25, 0.2, 8), 20, 25);
  expect_tiled_transposes(random_table(3, 40, 0.1, 8), 3, 40);
  expect_tiled_transposes(random_table(30, 1, 0.5, 8), 30, 1);
  expect_tiled_transposes(table(), 0, 4);
  expect_tiled_transposes(table(), 4, 0);
  table_of<acre::present> places;
  for (const auto& [place, value] : random_table(15, 18, 0.2, 4)) places[place];
  expect_tiled_transposes(places, 15, 18);
}

TEST(TiledTranspose, HasTheValuesThatMembersHaveChanged) {
  const table all = random_table(20, 25, 0.3, 8);
  auto tiles = acre::tiled(spread(all, 20, 25));
  for (std::size_t row = 0; row < tiles.local_rows(); ++row) {
    for (long& value : tiles.local_values(row)) value *= 10;
  }
  const auto transpose = acre::transpose(tiles);
  for (std::size_t row = 0; row < tiles.local_rows(); ++row) {
    std::ranges::fill(tiles.local_values(row), 0L);
  }
  table tenfold = turned(all);
  for (auto& [place, value] : tenfold) value *= 10;
  EXPECT_EQ(table_from(transpose), tenfold);
}

TEST(TiledTranspose, ReadsOneTileAndSendsNothing) {
  const auto a = spread(random_table(60, 80, 0.2, 8), 60, 80);
  for (const member_grid& grid : all_grids()) {
    const auto tiles = acre::tiled(a, tile_cut::equal(60, 80, grid));
    const member_grid other{grid.columns, grid.rows};
    const acre::rank_t source =
        grid.member(other.column_of(acre::rank()), other.row_of(acre::rank()));
    const bool is_far = tiles.near_tile(source).offsets == nullptr;
    const std::uint64_t bytes =
        (tiles.stacked().cut().count_of(source) + 1) * sizeof(std::uint64_t) +
        tiles.stacked().entries_of(source) * (sizeof(acre::column_t) + sizeof(long));
    const auto before = acre::counters();
    const auto transpose = acre::transpose(tiles);
    const auto spent = acre::counters() - before;
    EXPECT_EQ(spent.read_bytes, is_far ? bytes : 0) << grid.rows << " x " << grid.columns;
    EXPECT_EQ(spent.barriers, 1U);
    acre::barrier();
  }
}

TEST(TiledTranspose, HasItsFormerName) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const table all = random_table(20, 25, 0.2, 8);
  const auto a = acre::tiled(spread(all, 20, 25));
  const tile_cut cut = uneven_tiles(25, 20, all_grids().front());
  EXPECT_EQ(table_from(acre::transposed(a)), turned(all));
  EXPECT_EQ(acre::transposed(a, cut).cut(), cut);
#pragma GCC diagnostic pop
}

TEST(TiledTranspose, RefusesWhatDoesNotFit) {
  const auto a = acre::tiled(spread(random_table(8, 9, 0.5, 1), 8, 9));
  const auto to = [](std::size_t rows, std::size_t columns) {
    return tile_cut::equal(rows, columns, acre::size());
  };
  EXPECT_THROW(static_cast<void>(acre::transpose(a, to(8, 8))), acre::error);
  EXPECT_THROW(static_cast<void>(acre::transpose(a, to(9, 9))), acre::error);
  EXPECT_THROW(
      static_cast<void>(acre::transpose(a, tile_cut::equal(9, 8, member_grid{2, acre::size()}))),
      acre::error);
  acre::barrier();
}

TEST(TiledElementwise, SelectsEntriesByTheirPlaces) {
  const auto lower = [](std::size_t i, std::size_t j, long value) { return j < i && value != 3; };
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{20, 25}, {3, 40}}) {
    const auto a = spread(random_table(rows, columns, 0.3, 1), rows, columns);
    const auto expected = table_from(acre::select(a, lower));
    for_all_tiles(a, [&](const auto& tiles) {
      const auto selected = acre::select(tiles, lower);
      EXPECT_EQ(selected.cut(), tiles.cut());
      EXPECT_EQ(table_from(selected), expected);
    });
  }
}

TEST(TiledElementwise, AppliesAFunction) {
  const table all = random_table(20, 25, 0.3, 2);
  for_all_tiles(spread(all, 20, 25), [&](const auto& tiles) {
    EXPECT_EQ(table_from(acre::apply(tiles, halved)), halves_of(all));
    EXPECT_EQ(table_from(acre::apply(tiles, place_number)), place_numbers_of(all));
  });
}

TEST(TiledElementwise, AddsAndMultiplies) {
  const auto a = spread(random_table(20, 25, 0.3, 3), 20, 25);
  const auto b = spread(random_table(20, 25, 0.3, 4), 20, 25);
  const auto half = [](long x, long y) { return 0.5 * static_cast<double>(x * y); };
  const auto sum = table_from(acre::ewise_add(a, b, std::plus()));
  const auto product = table_from(acre::ewise_multiply(a, b, half));
  for_all_tiles(a, [&](const auto& tiles) {
    const auto others = acre::tiled(b, tiles.cut());
    EXPECT_EQ(table_from(acre::ewise_add(tiles, others, std::plus())), sum);
    EXPECT_EQ(table_from(acre::ewise_multiply(tiles, others, half)), product);
  });
}

template <class Monoid>
void expect_tiled_sums(std::size_t rows, std::size_t columns) {
  using value = typename Monoid::value_type;
  const table all = random_table(rows, columns, 0.1, 5);
  std::vector<value> expected(rows, Monoid::zero());
  value sum = Monoid::zero();
  for (const auto& [place, entry] : all) {
    expected[place.first] = Monoid::add(expected[place.first], static_cast<value>(entry));
    sum = Monoid::add(sum, static_cast<value>(entry));
  }
  acre::dense_vector<value> sums(acre::world(), uneven(rows, acre::size()));
  for_all_tiles(spread(all, rows, columns), [&](const auto& tiles) {
    acre::reduce_rows<Monoid>(tiles, sums);
    for (std::size_t i = 0; i < sums.local().size(); ++i) {
      EXPECT_EQ(sums.local()[i], expected[sums.local_offset() + i]);
    }
    EXPECT_EQ(acre::reduce<Monoid>(tiles), sum);
  });
}

TEST(TiledElementwise, ReducesRowsAndAll) {
  expect_tiled_sums<acre::monoids::plus<long>>(20, 25);
  expect_tiled_sums<acre::monoids::min<long>>(30, 4);
  expect_tiled_sums<acre::monoids::plus<long>>(2, 30);
  expect_tiled_sums<acre::monoids::max<long>>(0, 5);
  expect_tiled_sums<acre::monoids::plus<long>>(5, 0);
}

TEST(TiledElementwise, FailsOnAllMembersWhenAFunctionThrows) {
  const auto a = acre::tiled(spread(random_table(20, 20, 0.9, 6), 20, 20));
  const auto throwing = [](std::size_t i, std::size_t j, long x) {
    if (i == 19 && j > 10) throw std::runtime_error("no");
    return x;
  };
  EXPECT_ANY_THROW(static_cast<void>(acre::apply(a, throwing)));
  acre::barrier();
}

TEST(TiledElementwise, RefusesWhatDoesNotFit) {
  const auto by_rows = spread(random_table(20, 25, 0.1, 7), 20, 25);
  const member_grid wide{1, acre::size()};
  const auto a = acre::tiled(by_rows, tile_cut::equal(20, 25, wide));
  const auto narrower =
      acre::tiled(spread(random_table(20, 24, 0.1, 7), 20, 24), tile_cut::equal(20, 24, wide));
  EXPECT_THROW(static_cast<void>(acre::ewise_add(a, narrower, std::plus())), acre::error);
  EXPECT_THROW(static_cast<void>(acre::ewise_multiply(a, narrower, std::plus())), acre::error);
  if (acre::size() > 1) {
    const auto high = acre::tiled(by_rows, tile_cut::equal(20, 25, {acre::size(), 1}));
    EXPECT_THROW(static_cast<void>(acre::ewise_add(a, high, std::plus())), acre::error);
    std::vector<std::size_t> firsts(acre::size() + std::size_t{1}, 25);
    firsts[0] = 0;
    const tile_cut one(wide, acre::row_cut::equal(20, 1), acre::row_cut(firsts));
    std::fill(firsts.begin(), firsts.end() - 1, 0);
    const tile_cut other(wide, acre::row_cut::equal(20, 1), acre::row_cut(firsts));
    EXPECT_THROW(static_cast<void>(acre::ewise_add(acre::tiled(by_rows, one),
                                                   acre::tiled(by_rows, other), std::plus())),
                 acre::error);
  }
  acre::array<long> sums(acre::world(), 25);
  EXPECT_THROW(acre::reduce_rows<acre::monoids::plus<long>>(a, sums), acre::error);
  acre::barrier();
}

TEST(TiledElementwise, RefusesWhatIsOfAnotherTeam) {
  const acre::team other = acre::sparse_test::turned_world();
  const auto a = acre::tiled(spread(random_table(20, 20, 0.1, 7), 20, 20));
  const auto b = acre::tiled_csr_builder<long>(other, a.cut()).finish();
  EXPECT_THROW(static_cast<void>(acre::ewise_add(a, b, std::plus())), acre::error);
  acre::array<long> sums(other, 20);
  EXPECT_THROW(acre::reduce_rows<acre::monoids::plus<long>>(a, sums), acre::error);
  acre::barrier();
}

}  // namespace
