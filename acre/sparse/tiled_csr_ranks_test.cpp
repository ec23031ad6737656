// Sparse matrices in tiles: what they have, and their products against those of matrices cut by
// rows, in every grid that a team can stand in.
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/sparse/dense_rows.hpp>
#include <acre/sparse/dense_vector.hpp>
#include <acre/sparse/elementwise.hpp>
#include <acre/sparse/random_matrix_test.hpp>
#include <acre/sparse/semiring.hpp>
#include <acre/sparse/spgemm.hpp>
#include <acre/sparse/spmm.hpp>
#include <acre/sparse/spmv.hpp>
#include <acre/sparse/tile_cut.hpp>
#include <acre/sparse/tiled_csr_builder.hpp>
#include <acre/sparse/tiled_csr_matrix.hpp>
#include <acre/sparse/tiled_elementwise.hpp>
#include <acre/sparse/tiled_spgemm.hpp>
#include <acre/sparse/tiled_spmm.hpp>
#include <acre/sparse/tiled_spmv.hpp>
#include <acre/sparse/tiled_transposed.hpp>
#include <acre/sparse/transposed.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::member_grid;
using acre::tile_cut;
using acre::sparse_test::random_table;
using acre::sparse_test::spread;
using acre::sparse_test::table;
using acre::sparse_test::table_of;
namespace semirings = acre::semirings;

std::vector<member_grid> all_grids() {
  std::vector<member_grid> grids;
  for (acre::rank_t rows = 1; rows <= acre::size(); ++rows) {
    if (acre::size() % rows == 0) grids.push_back({rows, acre::size() / rows});
  }
  return grids;
}

/// Parts that differ: the first has none, and the last has most.
acre::row_cut uneven(std::size_t rows, acre::rank_t parts) {
  std::vector<std::size_t> firsts(parts + std::size_t{1}, 0);
  for (std::size_t i = 2; i < parts; ++i) firsts[i] = std::min(i, rows);
  firsts.back() = rows;
  return acre::row_cut(std::move(firsts));
}

tile_cut uneven_tiles(std::size_t rows, std::size_t columns, const member_grid& grid) {
  return {grid, uneven(rows, grid.rows), uneven(columns, grid.columns)};
}

/// The table of a whole matrix, as all members read it.
template <class T>
table_of<T> table_from(const acre::tiled_csr_matrix<T>& matrix) {
  table_of<T> all;
  for (acre::rank_t member = 0; member < matrix.members().size(); ++member) {
    const acre::csr_tile<T> tile = matrix.tile(member);
    for (std::size_t row = 0; row < tile.rows.count; ++row) {
      EXPECT_TRUE(std::ranges::is_sorted(tile.rows.columns_of(row)));
      for (std::size_t i = tile.rows.begin_of(row); i < tile.rows.end_of(row); ++i) {
        all[{tile.rows.first + row, tile.first_column + tile.rows.columns[i]}] = tile.rows.value(i);
      }
    }
  }
  matrix.members().barrier();
  return all;
}
template <class T>
table_of<T> table_from(const acre::csr_matrix<T>& matrix) {
  table_of<T> all;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const auto read = matrix.row(row);
    for (std::size_t i = 0; i < read.columns.size(); ++i) {
      all[{row, read.columns[i]}] = read.values[i];
    }
  }
  matrix.members().barrier();
  return all;
}

TEST(TileCut, GivesEachPlaceToWhereRowsAndColumnsMeet) {
  const tile_cut cut(member_grid{2, 3}, acre::row_cut({0, 4, 5}), acre::row_cut({0, 0, 7, 9}));
  EXPECT_EQ(cut.owner(3, 0), 1U);
  EXPECT_EQ(cut.owner(4, 8), 5U);
  EXPECT_EQ(cut.first_row_of(5), 4U);
  EXPECT_EQ(cut.first_column_of(5), 7U);
  EXPECT_EQ(cut.columns_of(4), 7U);
  EXPECT_EQ(cut.widest(), 7U);
  EXPECT_EQ(cut.stacked(), acre::row_cut({0, 4, 8, 12, 13, 14, 15}));
  EXPECT_EQ(cut.stacked_row(5, 4), 14U);
  EXPECT_EQ(tile_cut::equal(10, 12, 6).grid(), (member_grid{2, 3}));
  EXPECT_EQ(cut.transposed(),
            tile_cut(member_grid{3, 2}, acre::row_cut({0, 0, 7, 9}), acre::row_cut({0, 4, 5})));
  EXPECT_THROW(tile_cut(member_grid{2, 3}, acre::row_cut::equal(5, 3), acre::row_cut::equal(5, 3)),
               acre::error);
}

TEST(TiledCsrMatrix, HasWhatAnyRankAdded) {
  struct shape {
    std::size_t rows;
    std::size_t columns;
    double share;
  };
  for (const member_grid& grid : all_grids()) {
    for (const auto& [rows, columns, share] : {shape{20, 30, 0.2}, {3, 1, 0.5}, {0, 4, 0.0}}) {
      const table all = random_table(rows, columns, share, 7);
      for (const tile_cut& cut :
           {tile_cut::equal(rows, columns, grid), uneven_tiles(rows, columns, grid)}) {
        acre::tiled_csr_builder<long> triples(acre::world(), cut);
        std::size_t number = 0;
        for (const auto& [place, value] : all) {
          if (number++ % acre::size() == acre::rank())
            triples.add(place.first, place.second, value);
        }
        const auto matrix = triples.finish();
        EXPECT_EQ(matrix.entries(), all.size());
        EXPECT_EQ(table_from(matrix), all);
        const auto in_rows = acre::by_rows(matrix);
        acre::sparse_test::expect_matrix(in_rows, all);
        acre::sparse_test::expect_matrix(acre::by_rows(acre::tiled(in_rows, cut)), all);
      }
    }
  }
}

TEST(TiledCsrMatrix, ReadsAnyEntry) {
  const table all = random_table(19, 23, 0.2, 3);
  const auto matrix = acre::tiled(spread(all, 19, 23));
  for (std::size_t i = acre::rank(); i < 19; i += acre::size()) {
    for (std::size_t j = 0; j < 23; ++j) {
      const auto found = all.find({i, j});
      EXPECT_EQ(matrix.get(i, j), found == all.end() ? std::nullopt : std::optional(found->second));
    }
  }
  EXPECT_THROW(static_cast<void>(matrix.get(19, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(matrix.get(0, 23)), acre::error);
  acre::barrier();
}

TEST(TiledCsrMatrix, MakesOneOfEqualPlacesByTheRule) {
  acre::sparse_test::expect_sums_of_equal_places(
      acre::tiled_csr_builder<long>(acre::world(), 10, 10));
}

TEST(TiledCsrMatrix, NamesThePlaceThatTwoEntriesHave) {
  acre::tiled_csr_builder<long> triples(acre::world(), 10, 10);
  EXPECT_THROW(triples.add(10, 0, 1), acre::error);
  EXPECT_THROW(triples.add(0, 10, 1), acre::error);
  if (acre::rank() == 0) {
    triples.add(9, 8, 1);
    triples.add(9, 8, 1);
  }
  try {
    static_cast<void>(triples.finish());
    ADD_FAILURE() << "two entries have one place";
  } catch (const acre::error& failure) {
    const std::string what = failure.what();
    const bool is_owner = acre::rank() == tile_cut::equal(10, 10, acre::size()).owner(9, 8);
    EXPECT_EQ(what.find("row 9 and column 8") != std::string::npos, is_owner) << what;
  }
}

TEST(TiledCsrMatrix, IsMadeOfEachMembersTile) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  const auto cut = tile_cut::equal(11, 13, half.size());
  acre::csr_part<long> mine;
  const std::size_t first = cut.first_row_of(half.rank());
  for (std::size_t i = 0; i < cut.stacked().count_of(half.rank()); ++i) {
    for (std::size_t j = 0; j < cut.columns_of(half.rank()); ++j) {
      if ((first + i) % 3 == 0) mine.add(static_cast<acre::column_t>(j), 1);
    }
    mine.end_row();
  }
  acre::tiled_csr_matrix<long> matrix(half, cut, mine);
  for (std::size_t i = 0; i < matrix.local_rows(); ++i) {
    std::ranges::fill(matrix.local_values(i), static_cast<long>(first + i));
  }
  half.barrier();
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_EQ(matrix.get(i, 12), i % 3 == 0 ? std::optional(static_cast<long>(i)) : std::nullopt);
  }
  half.barrier();
}

/// How the factors are cut in a grid: A's columns and B's rows are not cut alike.
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
  expect_tiled_products<semirings::plus_times<int>>(3, 2, 6000, 0.001);  // rows that are hashed
  expect_tiled_products<semirings::min_plus<long>>(12, 15, 9, 0.3);
  expect_tiled_products<semirings::or_and>(9, 8, 7, 0.2);
  expect_tiled_products<semirings::plus_times<long>>(0, 5, 7, 0.5);
  expect_tiled_products<semirings::plus_times<long>>(4, 0, 7, 0.5);
}

TEST(TiledSpgemm, HasTheEntriesThatAMaskLetsThrough) {
  using S = semirings::plus_times<long>;
  const auto a = spread(random_table(15, 12, 0.2, 1), 15, 12);
  const auto mask = spread(random_table(15, 15, 0.3, 3), 15, 15);
  const auto b = acre::transposed(a);
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

/// The members of a team of any size have a grid that is neither a line nor a square where they are
/// six, and they are not all of the job where it has more ranks.
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

/// Bytes of the tiles of a row or a column of the grid that are not mapped here.
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
  // So many rows that those of the tiles of a row of the grid have no numbers of 32 bits.
  if (acre::size() > 1) {
    constexpr std::size_t many = std::size_t{1} << 32;
    const tile_cut no_rows(wide, acre::row_cut::equal(0, 1),
                           acre::row_cut::equal(many, wide.columns));
    const tile_cut all_rows = tile_cut::equal(many, 1, wide);
    EXPECT_THROW(acre::detail::check_tiled_product(no_rows, all_rows, true, {}), acre::error);
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
  table_of<double> all;
  for (const auto& [place, value] : random_table(60, 60, 0.4, 8)) {
    all[place] = 1.0 / static_cast<double>(value);
  }
  const auto tiles = acre::tiled(spread(all, 60, 60));
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
    EXPECT_EQ(spent.barriers, 2U);
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

/// Rows of small numbers that all members know.
template <class X>
acre::dense_rows<X> numbered_rows(const acre::row_cut& cut, std::size_t width) {
  acre::dense_rows<X> rows(acre::world(), cut, width);
  const std::size_t first = cut.first_of(acre::rank()) * width;
  for (std::size_t i = 0; i < rows.local().size(); ++i) {
    rows.local()[i] = static_cast<X>((first + i) * 7 % 11) + 1;
  }
  return rows;
}

/// Against products of matrices cut by rows; x and y are cut otherwise than a is.
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
  table_of<double> all;
  for (const auto& [place, value] : random_table(60, 60, 0.4, 8)) {
    all[place] = 1.0 / static_cast<double>(value);
  }
  const auto tiles = acre::tiled(spread(all, 60, 60));
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
    EXPECT_EQ(spent.barriers, 3U);
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
      const auto transpose = acre::transposed(tiles);
      EXPECT_EQ(transpose.cut(), cut.transposed());
      EXPECT_EQ(transpose.rows(), columns);
      EXPECT_EQ(transpose.columns(), rows);
      EXPECT_EQ(transpose.entries(), all.size());
      EXPECT_EQ(table_from(transpose), turned(all));
      EXPECT_EQ(table_from(acre::transposed(transpose)), all);
      for (const member_grid& other : all_grids()) {
        const tile_cut wanted = uneven_tiles(columns, rows, other);
        const auto cut_otherwise = acre::transposed(tiles, wanted);
        EXPECT_EQ(cut_otherwise.cut(), wanted);
        EXPECT_EQ(table_from(cut_otherwise), turned(all));
      }
    }
  }
}

TEST(TiledTransposed, TurnsRowsIntoColumns) {
  expect_tiled_transposes(random_table(20, 25, 0.2, 8), 20, 25);
  expect_tiled_transposes(random_table(3, 40, 0.1, 8), 3, 40);
  expect_tiled_transposes(random_table(30, 1, 0.5, 8), 30, 1);
  expect_tiled_transposes(table(), 0, 4);
  expect_tiled_transposes(table(), 4, 0);
  table_of<acre::present> places;
  for (const auto& [place, value] : random_table(15, 18, 0.2, 4)) places[place];
  expect_tiled_transposes(places, 15, 18);
}

TEST(TiledTransposed, HasTheValuesThatMembersHaveChanged) {
  const table all = random_table(20, 25, 0.3, 8);
  auto tiles = acre::tiled(spread(all, 20, 25));
  for (std::size_t row = 0; row < tiles.local_rows(); ++row) {
    for (long& value : tiles.local_values(row)) value *= 10;
  }
  const auto transpose = acre::transposed(tiles);
  for (std::size_t row = 0; row < tiles.local_rows(); ++row) {
    std::ranges::fill(tiles.local_values(row), 0L);
  }
  table tenfold = turned(all);
  for (auto& [place, value] : tenfold) value *= 10;
  EXPECT_EQ(table_from(transpose), tenfold);
}

TEST(TiledTransposed, ReadsOneTileAndSendsNothing) {
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
    const auto transpose = acre::transposed(tiles);
    const auto spent = acre::counters() - before;
    EXPECT_EQ(spent.read_bytes, is_far ? bytes : 0) << grid.rows << " x " << grid.columns;
    EXPECT_EQ(spent.barriers, 1U);
    acre::barrier();
  }
}

TEST(TiledTransposed, RefusesWhatDoesNotFit) {
  const auto a = acre::tiled(spread(random_table(8, 9, 0.5, 1), 8, 9));
  const auto to = [](std::size_t rows, std::size_t columns) {
    return tile_cut::equal(rows, columns, acre::size());
  };
  EXPECT_THROW(static_cast<void>(acre::transposed(a, to(8, 8))), acre::error);
  EXPECT_THROW(static_cast<void>(acre::transposed(a, to(9, 9))), acre::error);
  EXPECT_THROW(
      static_cast<void>(acre::transposed(a, tile_cut::equal(9, 8, member_grid{2, acre::size()}))),
      acre::error);
  acre::barrier();
}

/// In all grids, and cut in two ways: use(matrix in tiles).
template <class Use>
void for_all_tiles(const acre::csr_matrix<long>& a, Use&& use) {
  for (const member_grid& grid : all_grids()) {
    for (const tile_cut& cut : {tile_cut::equal(a.rows(), a.columns(), grid),
                                uneven_tiles(a.rows(), a.columns(), grid)}) {
      use(acre::tiled(a, cut));
    }
  }
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
  table_of<double> halves;
  table places;
  for (const auto& [place, value] : all) {
    halves[place] = static_cast<double>(value) / 2;
    places[place] = static_cast<long>(100 * place.first + place.second);
  }
  for_all_tiles(spread(all, 20, 25), [&](const auto& tiles) {
    const auto of_value = [](long x) { return static_cast<double>(x) / 2; };
    const auto of_place = [](auto i, auto j, long) { return static_cast<long>(100 * i + j); };
    EXPECT_EQ(table_from(acre::apply(tiles, of_value)), halves);
    EXPECT_EQ(table_from(acre::apply(tiles, of_place)), places);
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
    // The stacks of both are cut alike; the columns are not.
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

}  // namespace
