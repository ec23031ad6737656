// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/ragged_array.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/view/ranges.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::ragged_array;

static_assert(acre::ranges::distributed_range<ragged_array<int>>);

void expect_rows(ragged_array<int>& ragged, const std::vector<std::size_t>& lengths) {
  ASSERT_EQ(ragged.rows(), lengths.size());
  EXPECT_EQ(ragged.size(), std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}));
  std::size_t own = 0;
  for (std::size_t i = 0; i < ragged.local_rows(); ++i) {
    const std::size_t row = ragged.first_local_row() + i;
    int place = static_cast<int>(100 * row);
    for (int& each : ragged.local_row(i)) each = place++;
    own += ragged.local_row(i).size();
    EXPECT_TRUE(ragged.owner_of_row(row).is_this_rank());
  }
  EXPECT_EQ(own, ragged.local().size());
  ragged.members().barrier();
  auto each = ragged.begin();
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    const auto elements = ragged[row];
    ASSERT_EQ(elements.size(), lengths[row]) << row;
    if (!elements.empty()) {
      EXPECT_EQ(elements.rank(), ragged.owner_of_row(row).world_rank());
    }
    for (std::size_t i = 0; i < elements.size(); ++i, ++each) {
      EXPECT_EQ(elements[i], static_cast<int>(100 * row + i));
      EXPECT_EQ(*each, static_cast<int>(100 * row + i));
    }
  }
  ragged.members().barrier();
}

TEST(RaggedArraySmoke, HasRowsOfWhatEachMemberSays) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  for (const std::size_t most : {0U, 1U, 5U}) {
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; half.rank() != 1 && i < most; ++i) {
      mine.push_back((i * 3 + half.rank()) % 4);
    }
    std::vector<std::size_t> all;
    for (const auto& each : half.allgatherv(std::span(mine))) {
      all.insert(all.end(), each.begin(), each.end());
    }
    ragged_array<int> ragged(half, mine, -1);
    for (const int each : ragged.local()) EXPECT_EQ(each, -1);
    half.barrier();
    expect_rows(ragged, all);
    EXPECT_THROW(static_cast<void>(ragged[all.size()]), acre::error);
    EXPECT_THROW(static_cast<void>(ragged.owner_of_row(all.size())), acre::error);
  }
}

TEST(RaggedArray, SaysWhichRowsThereAre) {
  const std::vector<std::size_t> lengths(2, 1);
  const ragged_array<int> ragged(acre::world(), lengths);
  const std::size_t rows = ragged.rows();
  try {
    static_cast<void>(ragged[rows]);
    FAIL() << "the row does not exist";
  } catch (const acre::error& said) {
    EXPECT_EQ(std::string(said.what()).find("ragged_array.hpp"), std::string::npos) << said.what();
    EXPECT_EQ(said.advice(), "rows are numbered 0 to " + std::to_string(rows - 1));
  }
  try {
    static_cast<void>(ragged_array<int>().members());
    FAIL() << "an empty handle was accepted";
  } catch (const acre::error& said) {
    EXPECT_NE(said.problem().find("the ragged_array does not exist:"), std::string::npos)
        << said.what();
  }
  acre::barrier();
}

TEST(RaggedArray, IsDealtEvenlyByItsLengths) {
  const std::vector<std::size_t> lengths{1, 1, 1, 30, 1, 1, 0, 10, 10, 10, 0, 3, 27};
  auto ragged = acre::make_ragged<int>(acre::world(), lengths);
  expect_rows(ragged, lengths);
  const auto most = acre::world().allreduce(ragged.local().size(), acre::op::max);
  EXPECT_LE(most, 95 / acre::size() + 30);
  auto none = acre::make_ragged<int>(acre::world(), std::vector<std::size_t>());
  expect_rows(none, {});
}

TEST(RaggedArray, CostsOneReadToFindARowOfAnother) {
  const std::vector<std::size_t> mine(3, 4);
  ragged_array<long> ragged(acre::world(), mine);
  const std::size_t row = (ragged.first_local_row() + 4) % ragged.rows();
  const std::uint64_t cost = ragged.owner_of_row(row).is_this_rank() ? 0 : 1;
  const auto before = acre::counters();
  const auto elements = ragged.row(row);
  EXPECT_EQ((acre::counters() - before).reads, cost);
  elements[1] = 7;
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads, cost);
  EXPECT_EQ(spent.writes, cost);
  acre::barrier();
}

TEST(RaggedArray, LocatesManyRowsAtOnce) {
  const std::vector<std::size_t> mine(1 + acre::rank() % 2, 2 + acre::rank());
  const ragged_array<int> ragged(acre::world(), mine, static_cast<int>(acre::rank()));
  std::vector<std::size_t> backwards(ragged.rows());
  std::iota(backwards.rbegin(), backwards.rend(), std::size_t{0});
  const auto before = acre::counters();
  const auto rows = ragged.rows_at(backwards);
  EXPECT_EQ((acre::counters() - before).reads, ragged.rows() - ragged.local_rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto owner = ragged.owner_of_row(backwards[i]);
    ASSERT_EQ(rows[i].size(), 2 + owner.number());
    EXPECT_EQ(rows[i][1], static_cast<int>(owner.number()));
  }
  EXPECT_THROW(static_cast<void>(ragged.rows_at(std::vector{ragged.rows()})), acre::error);
  ASSERT_EQ(ragged.local_offsets().size(), mine.size() + 1);
  EXPECT_EQ(ragged.local_offsets().back(), ragged.local().size());
  if constexpr (acre::base::has_checks) {
    EXPECT_THROW(static_cast<void>(ragged.local_row(mine.size())), acre::error);
  }
  EXPECT_TRUE(ragged_array<int>().local_offsets().empty());
  acre::barrier();
}

TEST(RaggedArray, MovesAndLeavesNothingBehind) {
  const auto before = acre::runtime::segment_free().private_part;
  {
    const std::vector<std::size_t> mine{2, acre::rank()};
    ragged_array<double> later;
    EXPECT_FALSE(later);
    EXPECT_EQ(later.rows() + later.local_rows() + later.size(), 0U);
    ragged_array<double> made(acre::world(), mine, 1.5);
    later = std::move(made);
    EXPECT_EQ(later.local_row(1).size(), acre::rank());
    EXPECT_EQ(later[0][1], 1.5);
    if constexpr (acre::base::has_checks) {
      EXPECT_THROW(static_cast<void>(later.local_row(2)), acre::error);
    }
    acre::barrier();
  }
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
}

TEST(RaggedArray, RefusesLengthsThatNoMemoryHas) {
  const std::size_t huge = ~std::size_t{0} / 2;
  const std::vector<std::size_t> usual{1};
  const std::vector<std::size_t> wrong{huge, huge, huge};
  const bool is_last = acre::rank() + 1 == acre::size();
  EXPECT_THROW(ragged_array<int>(acre::world(), is_last ? wrong : usual), acre::error);
  EXPECT_THROW(ragged_array<int>(acre::world(), std::vector<std::size_t>{std::size_t{1} << 43}),
               acre::error);
}

}  // namespace
