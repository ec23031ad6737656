// SPDX-License-Identifier: BSD-3-Clause
// Compares tiled products, in every grid, with those of matrices cut by rows.
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/spmm.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_builder.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/csr/tiled/tiled_matrix_test.hpp>
#include <acre/csr/tiled/tiled_spgemm.hpp>
#include <acre/csr/tiled/tiled_spmm.hpp>
#include <acre/csr/tiled/tiled_spmv.hpp>
#include <acre/csr/tiled/tiled_transpose.hpp>
#include <acre/csr/transpose.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace acre::sparse_test;
using acre::member_grid;
using acre::tile_cut;
namespace semirings = acre::semirings;

struct factor_cuts {
  factor_cuts(const member_grid& grid, std::size_t rows, std::size_t inner, std::size_t columns)
      : a(grid, acre::row_cut::equal(rows, grid.rows), uneven(inner, grid.columns)),
        b(grid, acre::row_cut::equal(inner, grid.rows), uneven(columns, grid.columns)),
        c(grid, a.rows(), b.columns()) {}
  tile_cut a;
  tile_cut b;
  tile_cut c;
};

template <class S>
void expect_tiled_products(std::size_t rows, std::size_t inner, std::size_t columns, double share) {
  const auto a = spread(random_table(rows, inner, share, 1), rows, inner);
  const auto b = spread(random_table(inner, columns, share, 2), inner, columns);
  const auto expected = table_from(acre::spgemm<S>(a, b));
  for (const member_grid& grid : all_grids()) {
    const factor_cuts cuts(grid, rows, inner, columns);
    const auto product = acre::spgemm<S>(acre::tiled(a, cuts.a), acre::tiled(b, cuts.b));
    EXPECT_EQ(product.cut(), cuts.c);
    EXPECT_EQ(table_from(product), expected);
  }
}

TEST(TiledSpgemm, IsTheProductOfMatricesCutByRows) {
  expect_tiled_products<semirings::plus_times<int>>(20, 17, 23, 0.1);
  expect_tiled_products<semirings::plus_times<int>>(3, 2, 6000, 0.001);
  expect_tiled_products<semirings::min_plus<long>>(12, 15, 9, 0.3);
  expect_tiled_products<semirings::or_and>(9, 8, 7, 0.2);
  expect_tiled_products<semirings::plus_times<long>>(0, 5, 7, 0.5);
  expect_tiled_products<semirings::plus_times<long>>(4, 0, 7, 0.5);
}

TEST(TiledSpgemm, HasTheEntriesThatAMaskLetsThrough) {
  using S = semirings::plus_times<long>;
  const auto a = spread(random_table(15, 12, 0.2, 1), 15, 12);
  const auto mask = spread(random_table(15, 15, 0.3, 3), 15, 15);
  const auto b = acre::transpose(a);
  const auto listed = table_from(acre::spgemm<S>(a, b, acre::masked_by(mask)));
  const auto unlisted = table_from(acre::spgemm<S>(a, b, acre::masked_by_not(mask)));
  for (const member_grid& grid : all_grids()) {
    const factor_cuts cuts(grid, 15, 12, 15);
    const auto left = acre::tiled(a, cuts.a);
    const auto right = acre::tiled(b, cuts.b);
    const auto where = acre::tiled(mask, cuts.c);
    EXPECT_EQ(table_from(acre::spgemm<S>(left, right, acre::masked_by(where))), listed);
    EXPECT_EQ(table_from(acre::spgemm<S>(left, right, acre::masked_by_not(where))), unlisted);
  }
}

TEST(TiledSpgemm, MultipliesOnAPartOfTheJob) {
  const acre::team six = acre::world().split(acre::rank() < 6 ? 0 : 1);
  const table all = random_table(25, 25, 0.2, 4);
  acre::csr_builder<long> triples(six, 25, 25);
  if (six.rank() == 0) {
    for (const auto& [place, value] : all) triples.add(place.first, place.second, value);
  }
  const auto a = triples.finish();
  const auto tiles = acre::tiled(a);
  EXPECT_EQ(tiles.grid(), member_grid::square(six.size()));
  using S = semirings::plus_times<long>;
  EXPECT_EQ(table_from(acre::spgemm<S>(tiles, tiles)), table_from(acre::spgemm<S>(a, a)));
  const acre::array<long> x(six, 25, 2L);
  acre::array<long> y(six, 25);
  acre::array<long> expected(six, 25);
  acre::spmv<S>(tiles, x, y);
  acre::spmv<S>(a, x, expected);
  EXPECT_TRUE(std::ranges::equal(y.local(), expected.local()));
}

TEST(TiledSpgemm, MultipliesGraphs) {
  table_of<acre::present> places;
  for (const auto& [place, value] : random_table(30, 30, 0.1, 4)) places[place];
  const auto graph = spread(places, 30, 30);
  const auto tiles = acre::tiled(graph);
  EXPECT_EQ(table_from(acre::spgemm<semirings::plus_pair<long>>(tiles, tiles)),
            table_from(acre::spgemm<semirings::plus_pair<long>>(graph, graph)));
}

template <class T>
std::uint64_t far_bytes(const acre::tiled_csr_matrix<T>& matrix, bool of_row) {
  const member_grid& grid = matrix.grid();
  const acre::rank_t me = acre::rank();
  std::uint64_t bytes = 0;
  for (acre::rank_t member = 0; member < grid.size(); ++member) {
    const bool is_in_line = of_row ? grid.row_of(member) == grid.row_of(me)
                                   : grid.column_of(member) == grid.column_of(me);
    if (!is_in_line || matrix.near_tile(member).offsets != nullptr) continue;
    bytes += (matrix.stacked().cut().count_of(member) + 1) * sizeof(std::uint64_t) +
             matrix.stacked().entries_of(member) * (sizeof(acre::column_t) + sizeof(T));
  }
  return bytes;
}

TEST(TiledSpgemm, ReadsAtMostItsRowAndItsColumnOfTiles) {
  for (const member_grid& grid : all_grids()) {
    const auto cut = tile_cut::equal(120, 120, grid);
    const auto a = acre::tiled(spread(random_table(120, 120, 0.1, 1), 120, 120), cut);
    const auto b = acre::tiled(spread(random_table(120, 120, 0.1, 2), 120, 120), cut);
    const std::uint64_t of_a = far_bytes(a, true);
    const std::uint64_t most = of_a + far_bytes(b, false);
    const auto before = acre::counters();
    const auto c = acre::spgemm<semirings::plus_times<long>>(a, b);
    const auto spent = acre::counters() - before;
    EXPECT_LE(spent.read_bytes, most) << grid.rows << " x " << grid.columns;
    EXPECT_GE(spent.read_bytes, of_a);
    acre::barrier();
  }
}

TEST(TiledSpgemm, RefusesWhatDoesNotFit) {
  using S = semirings::plus_times<long>;
  const auto by_rows = spread(random_table(8, 8, 0.5, 1), 8, 8);
  const member_grid wide{1, acre::size()};
  const auto a = acre::tiled(by_rows, tile_cut::equal(8, 8, wide));
  const auto shorter = acre::tiled(spread(random_table(7, 8, 0.5, 1), 7, 8));
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, shorter)), acre::error);
  const acre::team other = acre::world().split(0);
  const acre::tiled_csr_matrix<long> elsewhere =
      acre::tiled_csr_builder<long>(other, tile_cut::equal(8, 8, wide)).finish();
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, elsewhere)), acre::error);
  EXPECT_THROW(
      static_cast<void>(acre::tiled(by_rows, tile_cut::equal(8, 8, member_grid{2, acre::size()}))),
      acre::error);
  EXPECT_THROW(static_cast<void>(acre::tiled(by_rows, tile_cut::equal(9, 8, wide))), acre::error);
  if (acre::size() > 1) {
    const auto high = acre::tiled(by_rows, tile_cut::equal(8, 8, member_grid{acre::size(), 1}));
    EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, high)), acre::error);
    const auto mask = acre::tiled(by_rows, uneven_tiles(8, 8, wide));
    EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, a, acre::masked_by(mask))), acre::error);
  }
  if (acre::size() > 1) {
    constexpr std::size_t many = std::size_t{1} << 32;
    const tile_cut no_rows(wide, acre::row_cut::equal(0, 1),
                           acre::row_cut::equal(many, wide.columns));
    const tile_cut all_rows = tile_cut::equal(many, 1, wide);
    EXPECT_THROW(acre::csr::check_tiled_product(no_rows, all_rows, {}), acre::error);
  }
  acre::barrier();
}

template <class S>
void expect_tiled_vector_products(std::size_t rows, std::size_t columns, double share) {
  using value = typename S::value_type;
  const auto a = spread(random_table(rows, columns, share, 5), rows, columns);
  const acre::array<long> x(acre::world(), columns,
                            [](std::size_t i) { return static_cast<long>(i * 7 % 11) + 1; });
  acre::array<value> expected(acre::world(), rows);
  acre::array<value> y(acre::world(), rows);
  const auto expect_equal = [&] {
    EXPECT_TRUE(std::ranges::equal(y.local(), expected.local())) << rows << " x " << columns;
  };
  for (const member_grid& grid : all_grids()) {
    for (const tile_cut& cut :
         {tile_cut::equal(rows, columns, grid), uneven_tiles(rows, columns, grid)}) {
      const auto tiles = acre::tiled(a, cut);
      acre::spmv<S>(a, x, expected);
      acre::spmv<S>(tiles, x, y);
      expect_equal();
      acre::spmv<S>(a, x, expected, acre::into::sum);
      acre::spmv<S>(tiles, x, y, acre::into::sum);
      expect_equal();
    }
  }
}

TEST(TiledSpmv, IsTheProductOfMatricesCutByRows) {
  expect_tiled_vector_products<semirings::plus_times<int>>(50, 60, 0.1);
  expect_tiled_vector_products<semirings::plus_times<long>>(3, 500, 0.01);
  expect_tiled_vector_products<semirings::min_plus<long>>(40, 40, 0.2);
  expect_tiled_vector_products<semirings::or_and>(40, 1, 0.2);
  expect_tiled_vector_products<semirings::plus_second<long>>(0, 4, 0.2);
}

TEST(TiledSpmv, TakesVectorsCutInAnyWayAndLeavesRowsThatAreNotChosen) {
  const auto a = spread(random_table(40, 40, 0.3, 6), 40, 40);
  const auto tiles = acre::tiled(a);
  const acre::row_cut cut = uneven(40, acre::size());
  const acre::dense_vector<long> x(acre::world(), uneven(40, acre::size()), 3);
  acre::dense_vector<long> y(acre::world(), cut, -1);
  acre::dense_vector<int> chosen(acre::world(), cut);
  for (std::size_t i = 0; i < chosen.local().size(); ++i) chosen.local()[i] = i % 3 == 0 ? 1 : 0;
  acre::spmv<semirings::plus_times<long>>(tiles, x, y, acre::into::result,
                                          acre::rows_where(chosen));
  acre::dense_vector<long> expected(acre::world(), a.cut());
  acre::spmv<semirings::plus_times<long>>(a, x, expected);
  acre::barrier();
  for (std::size_t i = 0; i < y.local().size(); ++i) {
    EXPECT_EQ(y.local()[i], i % 3 == 0 ? long{expected[y.local_offset() + i]} : -1);
  }
  acre::barrier();
}

TEST(TiledSpmv, MakesTheSameBitsEachTime) {
  const auto tiles = acre::tiled(spread(inverses_of(random_table(60, 60, 0.4, 8)), 60, 60));
  const acre::array<double> x(acre::world(), 60,
                              [](std::size_t i) { return 0.1 * static_cast<double>(i + 1); });
  acre::array<double> first(acre::world(), 60);
  acre::array<double> again(acre::world(), 60);
  acre::spmv<semirings::plus_times<double>>(tiles, x, first);
  for (int times = 0; times < 5; ++times) {
    acre::spmv<semirings::plus_times<double>>(tiles, x, again);
    EXPECT_TRUE(std::ranges::equal(first.local(), again.local()));
  }
}

TEST(TiledSpmv, ReadsOneColumnOfXAndOneRowOfSums) {
  constexpr std::size_t size = 240;
  const auto a = spread(random_table(size, size, 0.1, 9), size, size);
  const acre::array<long> x(acre::world(), size, 1L);
  acre::array<long> y(acre::world(), size);
  for (const member_grid& grid : all_grids()) {
    const auto tiles = acre::tiled(a, tile_cut::equal(size, size, grid));
    acre::spmv<semirings::plus_times<long>>(tiles, x, y);
    const auto before = acre::counters();
    acre::spmv<semirings::plus_times<long>>(tiles, x, y);
    const auto spent = acre::counters() - before;
    EXPECT_LE(spent.read_bytes, sizeof(long) * (size / grid.columns + size / grid.rows));
    EXPECT_EQ(spent.barriers, 1U);
    EXPECT_EQ(spent.collectives, 1U);
    acre::barrier();
  }
}

TEST(TiledSpmv, RefusesWhatDoesNotFit) {
  const auto a = acre::tiled(spread(random_table(8, 9, 0.5, 1), 8, 9));
  const acre::array<long> x(acre::world(), 9, 1L);
  acre::array<long> y(acre::world(), 8);
  acre::array<long> longer(acre::world(), 9);
  using S = semirings::plus_times<long>;
  EXPECT_THROW(acre::spmv<S>(a, y, y), acre::error);
  EXPECT_THROW(acre::spmv<S>(a, x, longer), acre::error);
  acre::barrier();
}

template <class X>
acre::dense_rows<X> numbered_rows(const acre::row_cut& cut, std::size_t width) {
  acre::dense_rows<X> rows(acre::world(), cut, width);
  const std::size_t first = cut.first_of(acre::rank()) * width;
  for (std::size_t i = 0; i < rows.local().size(); ++i) {
    rows.local()[i] = static_cast<X>((first + i) * 7 % 11) + 1;
  }
  return rows;
}

template <class S>
void expect_tiled_dense_products(std::size_t rows, std::size_t columns, double share,
                                 std::size_t width) {
  using value = typename S::value_type;
  const auto a = spread(random_table(rows, columns, share, 5), rows, columns);
  acre::dense_rows<value> expected(acre::world(), a.cut(), width);
  acre::spmm<S>(a, numbered_rows<long>(acre::row_cut::equal(columns, acre::size()), width),
                expected);
  for (const acre::row_cut& cut_of_y : {a.cut(), uneven(rows, acre::size())}) {
    const auto x = numbered_rows<long>(uneven(columns, acre::size()), width);
    for (const member_grid& grid : all_grids()) {
      for (const tile_cut& cut :
           {tile_cut::equal(rows, columns, grid), uneven_tiles(rows, columns, grid)}) {
        acre::dense_rows<value> y(acre::world(), cut_of_y, width, value{1});
        acre::spmm<S>(acre::tiled(a, cut), x, y);
        for (std::size_t i = 0; i < y.local().size(); ++i) {
          const std::size_t element = cut_of_y.first_of(acre::rank()) * width + i;
          EXPECT_EQ(y.local()[i], value(expected(element / width, element % width))) << element;
        }
      }
    }
  }
  acre::barrier();
}

TEST(TiledSpmm, IsTheProductOfMatricesCutByRows) {
  expect_tiled_dense_products<semirings::plus_times<int>>(50, 60, 0.1, 8);
  expect_tiled_dense_products<semirings::plus_times<long>>(3, 200, 0.02, 3);
  expect_tiled_dense_products<semirings::min_plus<long>>(40, 40, 0.2, 1);
  expect_tiled_dense_products<semirings::or_and>(40, 1, 0.2, 5);
  expect_tiled_dense_products<semirings::plus_second<long>>(0, 4, 0.2, 2);
  expect_tiled_dense_products<semirings::plus_times<long>>(4, 0, 0.2, 2);
  expect_tiled_dense_products<semirings::plus_times<long>>(9, 8, 0.2, 0);
}

TEST(TiledSpmm, TakesWiderRowsThanBeforeAndMakesThemForAllToRead) {
  using S = semirings::plus_times<long>;
  const auto a = spread(random_table(30, 30, 0.2, 6), 30, 30);
  const auto tiles = acre::tiled(a);
  const acre::array<long> ones(acre::world(), 30, 1L);
  acre::array<long> sums(acre::world(), 30);
  for (const std::size_t width : {0U, 2U, 7U, 3U}) {
    const acre::dense_rows<long> x(acre::world(), a.cut(), width, 1);
    acre::dense_rows<long> y(acre::world(), a.cut(), width);
    acre::spmv<S>(tiles, ones, sums);
    acre::spmm<S>(tiles, x, y);
    for (std::size_t i = 0; width != 0 && i < 30; ++i) EXPECT_EQ(long(y(i, width - 1)), sums[i]);
    acre::barrier();
  }
}

TEST(TiledSpmm, MultipliesGraphsIntoRowsOfAnotherType) {
  table_of<acre::present> places;
  for (const auto& [place, value] : random_table(20, 20, 0.2, 4)) places[place];
  const auto graph = acre::tiled(spread(places, 20, 20));
  const acre::dense_rows<int> x(acre::world(), acre::row_cut::equal(20, acre::size()), 2, 3);
  acre::dense_rows<double> y(acre::world(), x.cut(), 2);
  acre::spmm<semirings::plus_second<int>>(graph, x, y);
  std::vector<double> expected(20, 0);
  for (const auto& [place, value] : places) expected[place.first] += 3;
  for (std::size_t i = 0; i < y.local().size(); ++i) {
    EXPECT_EQ(y.local()[i], expected[y.cut().first_of(acre::rank()) + i / 2]);
  }
}

TEST(TiledSpmm, MakesTheSameBitsEachTime) {
  const auto tiles = acre::tiled(spread(inverses_of(random_table(60, 60, 0.4, 8)), 60, 60));
  const auto x = numbered_rows<double>(acre::row_cut::equal(60, acre::size()), 3);
  acre::dense_rows<double> first(acre::world(), x.cut(), 3);
  acre::dense_rows<double> again(acre::world(), x.cut(), 3);
  acre::spmm<semirings::plus_times<double>>(tiles, x, first);
  for (int times = 0; times < 5; ++times) {
    acre::spmm<semirings::plus_times<double>>(tiles, x, again);
    EXPECT_TRUE(std::ranges::equal(first.local(), again.local()));
  }
}

TEST(TiledSpmm, ReadsOneColumnOfXAndOneRowOfSums) {
  constexpr std::size_t size = 240;
  constexpr std::size_t width = 4;
  const auto a = spread(random_table(size, size, 0.1, 9), size, size);
  const acre::dense_rows<long> x(acre::world(), a.cut(), width, 1);
  acre::dense_rows<long> y(acre::world(), a.cut(), width);
  for (const member_grid& grid : all_grids()) {
    const auto tiles = acre::tiled(a, tile_cut::equal(size, size, grid));
    acre::spmm<semirings::plus_times<long>>(tiles, x, y);
    const auto before = acre::counters();
    acre::spmm<semirings::plus_times<long>>(tiles, x, y);
    const auto spent = acre::counters() - before;
    EXPECT_LE(spent.read_bytes, sizeof(long) * width * (size / grid.columns + size / grid.rows));
    EXPECT_EQ(spent.barriers, 1U);
    EXPECT_EQ(spent.collectives, 2U);
    acre::barrier();
  }
}

TEST(TiledSpmm, RefusesWhatDoesNotFit) {
  const auto a = acre::tiled(spread(random_table(8, 9, 0.5, 1), 8, 9));
  const auto rows_of = [](std::size_t rows, std::size_t width) {
    return acre::dense_rows<long>(acre::world(), acre::row_cut::equal(rows, acre::size()), width);
  };
  const auto x = rows_of(9, 2);
  auto y = rows_of(8, 2);
  auto longer = rows_of(9, 2);
  auto wider = rows_of(8, 3);
  using S = semirings::plus_times<long>;
  EXPECT_THROW(acre::spmm<S>(a, y, y), acre::error);
  EXPECT_THROW(acre::spmm<S>(a, x, longer), acre::error);
  EXPECT_THROW(acre::spmm<S>(a, x, wider), acre::error);
  const acre::team alone = acre::world().split(static_cast<int>(acre::rank()));
  acre::dense_rows<long> elsewhere(alone, acre::row_cut::equal(8, 1), 2);
  if (acre::size() > 1) {
    EXPECT_THROW(acre::spmm<S>(a, x, elsewhere), acre::error);
  }
  acre::barrier();
}

TEST(TiledProducts, RefuseWhatIsOfAnotherTeam) {
  const acre::team other = acre::sparse_test::turned_world();
  const auto a = acre::tiled(spread(random_table(8, 8, 0.5, 1), 8, 8));
  const auto b = acre::tiled_csr_builder<long>(other, a.cut()).finish();
  using S = semirings::plus_times<long>;
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, b)), acre::error);
  if (a.grid().rows == a.grid().columns) {
    EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, a, acre::masked_by(b))), acre::error);
  }
  acre::array<long> x(acre::world(), 8, 1L);
  acre::array<long> elsewhere(other, 8, 1L);
  EXPECT_THROW(acre::spmv<S>(a, x, elsewhere), acre::error);
  EXPECT_THROW(acre::spmv<S>(a, elsewhere, x), acre::error);
  const auto cut = acre::row_cut::equal(8, acre::size());
  acre::dense_rows<long> rows(acre::world(), cut, 2);
  acre::dense_rows<long> rows_elsewhere(other, cut, 2);
  EXPECT_THROW(acre::spmm<S>(a, rows, rows_elsewhere), acre::error);
  EXPECT_THROW(acre::spmm<S>(a, rows_elsewhere, rows), acre::error);
  acre::barrier();
}

TEST(TiledProducts, RefuseAVectorThatChoosesOtherRows) {
  const auto a = acre::tiled(spread(random_table(10, 10, 0.5, 1), 10, 10));
  const acre::array<int> two(acre::world(), 2, 1);
  const acre::array<long> x(acre::world(), 10, 1L);
  acre::array<long> y(acre::world(), 10);
  EXPECT_THROW(
      acre::spmv<semirings::plus_times<long>>(a, x, y, acre::into::result, acre::rows_where(two)),
      acre::error);
  acre::barrier();
}

}  // namespace
