// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/sets/disjoint_set.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::testing::common_seed;
using acre::testing::steps;
using texts = acre::disjoint_set<std::string>;

std::string text_of(std::uint64_t number) {
  return "key " + std::to_string(number) + std::string(number % 40, '.');
}

/// The sets of one process.
template <class K>
class serial_sets {
 public:
  bool unite(const K& a, const K& b) {
    const K one = find(a);
    const K other = find(b);
    parents_[one] = other;
    parents_.emplace(other, other);
    return one != other;
  }
  K find(const K& key) {
    const auto at = parents_.find(key);
    if (at == parents_.end() || at->second == key) return key;
    return at->second = find(at->second);
  }
  std::size_t size() const { return parents_.size(); }

 private:
  std::map<K, K> parents_;
};

/// Checks sets and representatives against the pairs of all ranks. Collective.
template <class K>
void expect_sets(acre::disjoint_set<K>& sets, const std::vector<std::pair<K, K>>& mine,
                 std::uint64_t united) {
  serial_sets<K> expected;
  std::uint64_t links = 0;
  for (const auto& pairs : acre::world().allgather(mine)) {
    for (const auto& [a, b] : pairs) links += expected.unite(a, b) ? 1 : 0;
  }
  EXPECT_EQ(sets.size(), expected.size());
  EXPECT_EQ(sets.set_count(), expected.size() - links);
  EXPECT_EQ(acre::world().allreduce(united), links);
  std::vector<K> keys;
  for (const auto& [a, b] : mine) {
    keys.push_back(a);
    keys.push_back(b);
  }
  const std::vector<K> roots = sets.find_many(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(expected.find(roots[i]), expected.find(keys[i]));
    if (i < 20) EXPECT_EQ(roots[i], sets.find(keys[i], only<find>));
  }
  std::map<K, K> representatives;
  std::uint64_t visited = 0;
  sets.for_each_local([&](const K& key, const K& root) {
    ++visited;
    EXPECT_TRUE(sets.owner(key).is_this_rank());
    EXPECT_EQ(representatives.emplace(expected.find(key), root).first->second, root);
  });
  EXPECT_EQ(acre::world().allreduce(visited), expected.size());
  acre::barrier();
}

template <class Make>
auto random_pairs(std::uint64_t seed, std::uint64_t keys, std::size_t count, Make&& make) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<decltype(make(0)), decltype(make(0))>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t first = random() % keys;
    pairs.emplace_back(make(first), make(random() % keys));
  }
  return pairs;
}

TEST(DisjointSetSmoke, UnitesTexts) {
  texts friends(acre::world(), 1000);
  EXPECT_FALSE(friends.contains("Ada"));
  EXPECT_EQ(friends.find("Ada"), "Ada");
  EXPECT_TRUE(friends.are_together("Ada", "Ada"));
  EXPECT_FALSE(friends.are_together("Ada", "Grace"));
  acre::barrier();
  const std::string mine = "rank " + std::to_string(acre::rank());
  EXPECT_TRUE(friends.insert(mine));
  EXPECT_FALSE(friends.insert(mine));
  EXPECT_TRUE(friends.unite(mine, "everyone"));
  EXPECT_FALSE(friends.unite("everyone", mine));
  EXPECT_EQ(friends.size(), acre::size() + 1);
  EXPECT_EQ(friends.set_count(), 1U);
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    EXPECT_TRUE(friends.are_together("rank " + std::to_string(rank), mine));
    EXPECT_EQ(friends.find("rank " + std::to_string(rank)), friends.find(mine));
  }
  acre::barrier();
  friends.clear();
  EXPECT_EQ(friends.size(), 0U);
  EXPECT_EQ(friends.set_count(), 0U);
  EXPECT_FALSE(friends.are_together(mine, "everyone"));
  acre::barrier();
  EXPECT_TRUE(friends.unite(mine, "rank"));
  EXPECT_EQ(friends.set_count(), 1U);
}

TEST(DisjointSet, EqualsASerialOne) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto count = static_cast<std::size_t>(steps(1000)) / acre::size();
  const auto operate = [&]<class K>(acre::disjoint_set<K> sets, const auto& pairs) {
    std::uint64_t united = 0;
    for (const auto& [a, b] : pairs) {
      united += sets.unite(a, b) ? 1 : 0;
      EXPECT_TRUE(sets.are_together(b, a));
    }
    expect_sets(sets, pairs, united);
  };
  operate(texts(acre::world(), 200), random_pairs(seed + acre::rank(), 200, count, text_of));
  operate(acre::disjoint_set<std::uint32_t>(acre::world(), 200),
          random_pairs(seed + acre::rank(), 200, count,
                       [](std::uint64_t i) { return static_cast<std::uint32_t>(977 * i); }));
}

TEST(DisjointSet, UnitesAllAtOnce) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const std::uint64_t keys : {10U, 3000U}) {
    // In a node larger than a batch of unite_all(), and the same new keys on all ranks.
    const auto count = static_cast<std::size_t>(steps(10'000)) / 4;
    const auto pairs = random_pairs(seed + acre::rank(), keys, count, text_of);
    texts sets(acre::world(), keys);
    const std::uint64_t united = sets.unite_all(pairs);
    expect_sets(sets, pairs, united);
    sets.compress();
    expect_sets(sets, pairs, united);
  }
}

TEST(DisjointSet, ReportsMissingRoomAndMakesIt) {
  acre::disjoint_set<std::uint64_t> sets(acre::world(), 10);
  sets.unite(acre::rank(), acre::rank() + 1);
  EXPECT_EQ(sets.set_count(), 1U);
  constexpr std::uint64_t most = 20'000;
  if (acre::rank() == 0) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::uint64_t key = most; key < 2 * most; ++key) pairs.emplace_back(key, key);
    try {
      sets.unite_all(pairs);
      ADD_FAILURE() << "20,000 keys fit a capacity of 10";
    } catch (const acre::error& full) {
      EXPECT_EQ(full.call(), "disjoint_set::unite_all");
      EXPECT_NE(full.problem().find("is full"), std::string::npos) << full.problem();
    }
  }
  const std::uint64_t before = sets.size();
  EXPECT_GE(before, 10U);
  EXPECT_LT(before, most);
  EXPECT_GE(sets.set_count(), 1U);
  sets.reserve(2 * most);
  EXPECT_EQ(sets.size(), before);
  EXPECT_TRUE(sets.are_together(acre::rank(), 0));
  acre::barrier();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> chain;
  const auto last = static_cast<std::uint64_t>(steps(6000));
  for (std::uint64_t key = acre::rank(); key < last; key += acre::size()) {
    chain.emplace_back(key, key + 1);
  }
  sets.unite_all(chain);
  const std::uint64_t more = sets.size();
  EXPECT_GT(more, last);
  const std::uint64_t count = sets.set_count();
  EXPECT_TRUE(sets.are_together(acre::rank(), last));
  acre::barrier();
  sets.reserve(3 * most);
  EXPECT_EQ(sets.set_count(), count);
  for (std::uint64_t key = acre::rank(); key <= last; key += 7) {
    EXPECT_TRUE(sets.are_together(key, last));
  }
  acre::barrier();
  sets.reserve(5);
  EXPECT_TRUE(sets.are_together(0, last));
  acre::barrier();
}

TEST(DisjointSet, MovesAndRefusesEmptyHandles) {
  texts empty;
  EXPECT_THROW(empty.unite("a", "b"), acre::error);
  EXPECT_THROW(static_cast<void>(empty.find("a")), acre::error);
  EXPECT_THROW(static_cast<void>(empty.size()), acre::error);
  texts made(acre::world(), 10);
  made.unite("a", "b");
  empty = std::move(made);
  EXPECT_FALSE(made);
  EXPECT_TRUE(empty.are_together("a", "b"));
  acre::barrier();
  const std::vector<std::tuple<const char*, const char*>> more{{"b", "c"}, {"c", "d"}};
  empty.unite_all(more);
  EXPECT_TRUE(empty.are_together("a", "d"));
  acre::barrier();
}

}  // namespace
