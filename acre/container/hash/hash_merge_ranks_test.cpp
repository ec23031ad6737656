// SPDX-License-Identifier: BSD-3-Clause
// Merges and statistics of hash containers.
#include <acre/base/error.hpp>
#include <acre/container/hash/chosen_hash_test.hpp>
#include <acre/container/hash/counting_map.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/hash/hash_multimap.hpp>
#include <acre/container/hash/hash_set.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>

namespace {

using texts = acre::hash_map<std::string, std::string>;

texts numbered(std::uint64_t first, std::uint64_t last, const std::string& value) {
  texts map(acre::world(), 2 * (last - first) + 4 * acre::size());
  for (std::uint64_t i = first + acre::rank(); i < last; i += acre::size()) {
    map.insert(std::to_string(i), value);
  }
  return map;
}

TEST(HashMergeSmoke, AddsAbsentEntriesAndGrows) {
  texts map = numbered(0, 60, "mine");
  const texts other = numbered(40, 160, "theirs");
  map.merge(other);
  EXPECT_EQ(map.size(), 160U);
  EXPECT_EQ(other.size(), 120U);
  for (std::uint64_t i = 0; i < 160; i += 7) {
    EXPECT_EQ(map.find(std::to_string(i)), i < 60 ? "mine" : "theirs") << i;
  }
  EXPECT_LE(map.load_factor(), 0.8);
  acre::barrier();
}

TEST(HashMerge, CombinesValuesOfBoth) {
  texts map = numbered(0, 60, "mine");
  const texts other = numbered(40, 100, "theirs");
  map.merge(other, [](std::string& mine, const std::string& theirs) { mine += "+" + theirs; });
  EXPECT_EQ(map.size(), 100U);
  EXPECT_EQ(map.find("10"), "mine");
  EXPECT_EQ(map.find("50"), "mine+theirs");
  EXPECT_EQ(map.find("70"), "theirs");
  acre::barrier();
}

TEST(HashMerge, SendsNothing) {
  texts map = numbered(0, 10, "mine");
  const texts other = numbered(0, 600, "theirs");
  acre::barrier();
  const auto before = acre::counters();
  map.merge(other);
  const auto spent = acre::counters() - before;
  EXPECT_LT(spent.messages, 200U) << "messages of collectives only";
  EXPECT_EQ(map.size(), 600U);
  acre::barrier();
}

TEST(HashMerge, UnitesSetsCountsAndMultimaps) {
  acre::hash_set<int> set(acre::world(), 100);
  acre::hash_set<int> more_keys(acre::world(), 100);
  acre::counting_map<std::string> counts(acre::world(), 100);
  acre::counting_map<std::string> more_counts(acre::world(), 100);
  acre::hash_multimap<int, std::string> places(acre::world(), 100);
  acre::hash_multimap<int, std::string> more_places(acre::world(), 100, acre::growth::automatic);
  for (int i = 0; i < 20; ++i) {
    set.insert(i);
    more_keys.insert(i + 10);
    counts.add(std::to_string(i), 2);
    more_counts.add(std::to_string(i + 10), 3);
    places.insert(i, "mine");
    more_places.insert(i + 10, "theirs");
  }
  set.merge(more_keys);
  counts.merge(more_counts);
  places.merge(more_places);
  EXPECT_EQ(set.size(), 30U);
  EXPECT_EQ(counts.size(), 30U);
  EXPECT_EQ(counts.count("5"), 2 * acre::size());
  EXPECT_EQ(counts.count("15"), 5 * acre::size());
  EXPECT_EQ(counts.count("25"), 3 * acre::size());
  EXPECT_EQ(places.size(), 40U * acre::size());
  EXPECT_EQ(places.key_count(), 30U);
  EXPECT_EQ(places.count(15), 2 * acre::size());
  EXPECT_EQ(more_places.size(), 20U * acre::size());
  acre::barrier();
}

TEST(HashMerge, RefusesAnotherTeam) {
  const acre::team reversed = acre::world().split(0, static_cast<int>(acre::size() - acre::rank()));
  acre::hash_set<int> set(acre::world(), 10);
  const acre::hash_set<int> other(reversed, 10);
  if (acre::size() != 1) {
    EXPECT_THROW(set.merge(other), acre::error);
  }
  EXPECT_EQ(set.size(), 0U);
}

TEST(HashMerge, ThrowsOnAllMembersIfAFunctionThrows) {
  acre::hash_map<int, int> map(acre::world(), 100);
  acre::hash_map<int, int> other(acre::world(), 100);
  for (int i = 0; i < 20; ++i) {
    map.insert(i, i);
    other.insert(i, i);
  }
  EXPECT_ANY_THROW(map.merge(other, [](int& mine, int theirs) {
    if (theirs == 7) throw std::runtime_error("7");
    mine += theirs;
  }));
  EXPECT_EQ(map.find(7), 7);
  EXPECT_EQ(map.size(), 20U);
  acre::barrier();
}

TEST(HashStatistics, CountEntriesOfMembersAndProbes) {
  acre::hash_map<std::uint64_t, int> map(acre::world(), 4000);
  EXPECT_EQ(map.statistics().entries, 0U);
  EXPECT_EQ(map.statistics().imbalance(), 1.0);
  for (std::uint64_t i = acre::rank(); i < 2000; i += acre::size()) map.insert(i, 1);
  const acre::hash_statistics all = map.statistics();
  EXPECT_EQ(all.entries, 2000U);
  EXPECT_EQ(all.capacity, map.capacity());
  EXPECT_EQ(all.load(), map.load_factor());
  ASSERT_EQ(all.entries_of_member.size(), acre::size());
  EXPECT_EQ(all.entries_of_member[acre::rank()], map.local_size());
  EXPECT_EQ(std::accumulate(all.entries_of_member.begin(), all.entries_of_member.end(), 0U), 2000U);
  EXPECT_LT(all.imbalance(), 1.5);
  // Linear probing at load 1/2 examines 1.5 buckets (Knuth, volume 3, 6.4).
  EXPECT_NEAR(all.mean_probes, 1.5, 0.2);
  EXPECT_LT(all.most_probes, 60U);
}

TEST(HashStatistics, ShowABadHash) {
  acre::testing::crowding_hash::chosen = acre::testing::crowding::one_home;
  acre::testing::crowded map(acre::world(), 1000 * acre::size());
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < 101; ++key) map.insert(key, 1);
  }
  const acre::hash_statistics all = map.statistics();
  EXPECT_EQ(all.entries, 101U);
  EXPECT_EQ(all.most_probes, 101U);
  EXPECT_EQ(all.mean_probes, 51.0);
  EXPECT_EQ(all.imbalance(), static_cast<double>(acre::size()));
}

}  // namespace
