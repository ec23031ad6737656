// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/rank_table.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using acre::runtime::index_at;
using acre::runtime::rank_table;

std::uintptr_t entry(const std::uintptr_t* table, int index) {
  return *static_cast<const volatile std::uintptr_t*>(table + index);
}

TEST(RankTable, HasAnEntryForEachRank) {
  rank_table table;
  table.assign(1000, 7);
  table[999] = 8;
  EXPECT_EQ(table.data()[0], 7U);
  EXPECT_EQ(table.data()[999], 8U);
  table.assign(3, 5);
  EXPECT_EQ(table.data()[2], 5U);
}

TEST(RankTableDeathTest, FaultsWhereThereIsNoRank) {
  constexpr int most = std::numeric_limits<int>::max();
  constexpr int least = std::numeric_limits<int>::min();
  rank_table table;
  for (const int index : {0, most, least}) EXPECT_DEATH(entry(table.data(), index), "");
  table.assign(3, 5);
  for (const int index : {3, 1000, most, -20000, least}) {
    EXPECT_DEATH(entry(table.data(), index), "");
  }
  for (const int index : {-1, -400}) EXPECT_EQ(entry(table.data(), index), rank_table::no_address);
}

TEST(RankTable, TellsTheIndexOfAnAddress) {
  const rank_table table;
  EXPECT_EQ(index_at(table.data(), table.data() + 5), 5);
  EXPECT_EQ(index_at(table.data(), table.data() - 5), -5);
  EXPECT_EQ(index_at(table.data(), nullptr), std::nullopt);
}

}  // namespace
