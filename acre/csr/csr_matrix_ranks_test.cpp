// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace acre::sparse_test;

TEST(CsrMatrix, HasWhatAnyRankAdded) {
  struct shape {
    std::size_t rows;
    std::size_t columns;
    double share;
  };
  for (const auto& [rows, columns, share] :
       {shape{20, 30, 0.2}, {1, 5, 1.0}, {37, 1, 0.5}, {0, 4, 0.0}, {50, 50, 0.02}}) {
    const table all = random_table(rows, columns, share, 7);
    expect_matrix(spread(all, rows, columns), all);
  }
}

TEST(CsrMatrix, MakesOneOfEqualPlacesByTheRule) {
  acre::sparse_test::expect_sums_of_equal_places(acre::csr_builder<long>(acre::world(), 10, 10));
}

TEST(CsrMatrix, CostsThreeReadsForAnEntryOfAnotherNode) {
  const table all = random_table(60, 30, 0.2, 3);
  const auto matrix = spread(all, 60, 30);
  const acre::rank_t other = (acre::rank() + 1) % acre::size();
  const std::uint64_t cost = matrix.near_rows(other).offsets != nullptr ? 0 : 3;
  const auto [row, column] = all.lower_bound({matrix.cut().first_of(other), 0})->first;
  ASSERT_EQ(matrix.cut().owner(row), other);
  const auto before = acre::counters();
  EXPECT_EQ(matrix.get(row, column), all.at({row, column}));
  EXPECT_EQ((acre::counters() - before).reads, cost);
  acre::barrier();
}

TEST(CsrMatrix, RefusesEqualPlacesWithoutARule) {
  acre::csr_builder<long> triples(acre::world(), 10, 10);
  if (acre::rank() == 0) {
    triples.add(9, 2, 1);
    triples.add(9, 2, 1);
  }
  EXPECT_THROW(static_cast<void>(triples.finish()), acre::error);
}

TEST(CsrMatrix, RefusesPlacesThatThereAreNot) {
  acre::csr_builder<long> triples(acre::world(), 3, 4);
  EXPECT_THROW(triples.add(3, 0, 1), acre::error);
  EXPECT_THROW(triples.add(0, 4, 1), acre::error);
  const auto empty = triples.finish();
  EXPECT_EQ(empty.entries(), 0U);
  EXPECT_THROW(static_cast<void>(empty.get(3, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(empty.get(0, 4)), acre::error);
  acre::barrier();
}

TEST(CsrMatrix, IsMadeOfEachMembersRows) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  const auto cut = acre::row_cut::equal(11, half.size());
  acre::csr_part<double> mine;
  for (std::size_t i = 0; i < cut.count_of(half.rank()); ++i) {
    const std::size_t row = cut.first_of(half.rank()) + i;
    if (row % 3 != 0) mine.add(static_cast<acre::column_t>(row), static_cast<double>(row));
    mine.end_row();
  }
  const acre::csr_matrix<double> diagonal(half, cut, 11, mine);
  for (std::size_t i = 0; i < 11; ++i) {
    const auto row = diagonal.row(i);
    ASSERT_EQ(row.columns.size(), i % 3 != 0 ? 1U : 0U);
    if (i % 3 == 0) continue;
    EXPECT_EQ(diagonal.get(i, i), static_cast<double>(i));
  }
  half.barrier();
}

TEST(CsrMatrix, RefusesRowsThatAreNone) {
  const auto cut = acre::row_cut::equal(acre::size(), acre::size());
  const auto made = [&](acre::csr_part<int> part) {
    EXPECT_THROW(acre::csr_matrix<int>(acre::world(), cut, 4, part), acre::error);
  };
  const bool first = acre::rank() == 0;
  made({.offsets = {0, first ? 2U : 1U}, .columns = {1}, .values = {1}});
  made({.offsets = {0, 1}, .columns = {first ? 4U : 1U}, .values = {1}});
  made({.offsets = {0, 2}, .columns = {1, first ? 1U : 2U}, .values = {1, 2}});
  made({.offsets = {0}, .columns = {}, .values = {}});
  EXPECT_THROW(acre::csr_matrix<int>(acre::world(), cut, std::size_t{1} << 32, {}), acre::error);
}

TEST(RowCut, GivesRowsOfEqualWeight) {
  const std::size_t rows = 40;
  const auto equal = acre::row_cut::equal(rows, acre::size());
  std::vector<std::uint64_t> weights;
  for (std::size_t i = 0; i < equal.count_of(acre::rank()); ++i) {
    weights.push_back(equal.first_of(acre::rank()) + i < 4 ? 90 : 1);
  }
  const auto cut = acre::row_cut::balanced(acre::world(), rows, weights);
  EXPECT_EQ(cut.rows(), rows);
  std::size_t most = 0;
  for (acre::rank_t member = 0; member < acre::size(); ++member) {
    std::size_t weight = 0;
    for (std::size_t i = 0; i < cut.count_of(member); ++i) {
      const std::size_t row = cut.first_of(member) + i;
      weight += row < 4 ? 90 : 1;
      EXPECT_EQ(cut.owner(row), member);
    }
    most = std::max(most, weight);
  }
  EXPECT_LE(most, 396 / acre::size() + 90);
}

TEST(RowCut, HasAsEqualWeightsAsRowsAllow) {
  const std::size_t rows = acre::size() - std::size_t{1};
  const auto equal = acre::row_cut::equal(rows, acre::size());
  for (const std::uint64_t weight : {std::uint64_t{1}, std::uint64_t{1} << 63}) {
    const std::vector<std::uint64_t> weights(equal.count_of(acre::rank()), weight);
    EXPECT_EQ(acre::row_cut::balanced(acre::world(), rows, weights), equal);
  }
  const std::vector<std::uint64_t> nothing(equal.count_of(acre::rank()), 0);
  EXPECT_EQ(acre::row_cut::balanced(acre::world(), rows, nothing), equal);
}

TEST(RowCut, OfAnotherNumberOfMembersIsRefused) {
  for (const acre::rank_t members : {acre::size() + 1, acre::size() == 1 ? 2 : acre::size() - 1}) {
    const auto cut = acre::row_cut::equal(100, members);
    EXPECT_THROW(acre::csr_builder<long>(acre::world(), cut, 4), acre::error);
    EXPECT_THROW(acre::dense_vector<long>(acre::world(), cut), acre::error);
    EXPECT_THROW(acre::dense_rows<long>(acre::world(), cut, 3), acre::error);
  }
  acre::barrier();
}

TEST(CsrMatrix, HasColumnsOfThirtyTwoBits) {
  EXPECT_THROW(acre::csr_builder<long>(acre::world(), 3, std::size_t{1} << 32), acre::error);
  acre::csr_builder<long> triples(acre::world(), 3, (std::size_t{1} << 32) - 1);
  if (acre::rank() == 0) triples.add(2, (std::size_t{1} << 32) - 2, 5);
  EXPECT_EQ(triples.finish().get(2, (std::size_t{1} << 32) - 2), 5);
}

TEST(CsrMatrix, WithoutColumnsHasNoEntries) {
  const auto empty = acre::csr_builder<long>(acre::world(), 3, 0).finish();
  EXPECT_THROW(static_cast<void>(empty.get(0, 0)), acre::error);
  EXPECT_TRUE(empty.row(0).columns.empty());
  acre::barrier();
}

}  // namespace
