// SPDX-License-Identifier: BSD-3-Clause
// Tiled sparse matrices.
#include <acre/base/error.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_builder.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/csr/tiled/tiled_matrix_test.hpp>
#include <acre/csr/tiled/tiled_transpose.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace acre::sparse_test;
using acre::member_grid;
using acre::tile_cut;

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
  EXPECT_EQ(matrix.local_entries(), matrix.local().entries());
  EXPECT_EQ(acre::world().allreduce(matrix.local_entries()), all.size());
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

TEST(TileCut, IsForOneMemberAtLeast) {
  EXPECT_THROW(static_cast<void>(tile_cut::equal(5, 5, member_grid{0, 3})), acre::error);
  EXPECT_THROW(static_cast<void>(tile_cut::equal(5, 5, member_grid{3, 0})), acre::error);
}

TEST(TiledCsrMatrix, FailsOnAllMembersWhereOneFails) {
  auto wrong = acre::sparse_test::wrong_in_last_row();
  EXPECT_THROW(static_cast<void>(acre::tiled(wrong)), acre::error);
  const acre::tiled_csr_matrix<long> tiles(
      tile_cut::equal(acre::size(), 4, member_grid{acre::size(), 1}), std::move(wrong));
  EXPECT_THROW(static_cast<void>(acre::by_rows(tiles)), acre::error);
  EXPECT_THROW(
      static_cast<void>(acre::transpose(tiles, tile_cut::equal(4, acre::size(), acre::size()))),
      acre::error);
  acre::barrier();
}

TEST(TiledCsrMatrix, IsCutByRowsForItsMembers) {
  const auto tiles = acre::tiled(spread(random_table(19, 23, 0.2, 3), 19, 23));
  EXPECT_THROW(static_cast<void>(acre::by_rows(tiles, acre::row_cut::equal(19, acre::size() + 1))),
               acre::error);
  acre::barrier();
}

}  // namespace
