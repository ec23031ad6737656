// SPDX-License-Identifier: BSD-3-Clause
// Bulk and asynchronous calls.
#include <acre/acre.hpp>
#include <acre/container/hash/chosen_hash_test.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::testing::plain_hash;
using table = acre::hash_map<std::uint64_t, std::uint64_t>;

TEST(HashMapBulkSmoke, InsertsAndFindsManyAtOnce) {
  table map(acre::world(), 40'000);
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = acre::rank(); i < 10'000; i += acre::size()) {
    keys.push_back(i);
    values.push_back(3 * i);
  }
  EXPECT_EQ(map.insert_many(keys, values), keys.size());
  EXPECT_EQ(map.insert_many(keys, values), 0U);
  acre::barrier();
  std::vector<std::uint64_t> asked(12'000);
  std::iota(asked.begin(), asked.end(), 0);
  std::ranges::shuffle(asked, std::mt19937_64(acre::rank()));
  const auto found = map.find_many(asked, only<find>);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    ASSERT_EQ(found[i], asked[i] < 10'000 ? std::optional(3 * asked[i]) : std::nullopt) << asked[i];
  }
  EXPECT_TRUE(map.find_many(std::vector<std::uint64_t>{}).empty());
  acre::barrier();
}

void fail_or_take_long(std::uint64_t) {
  if (acre::rank() == 1) throw std::runtime_error("not today");
  if (acre::rank() + 1 == acre::size()) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < end) {
    }
  }
}

TEST(HashMapBulk, LeavesNothingUnderWayWhenItFails) {
  if (acre::size() < 3) return;
  acre::hash_map<std::uint64_t, std::uint64_t, plain_hash> map(acre::world(), 40'000);
  if (acre::rank() != 0) plain_hash::disturbance = fail_or_take_long;
  acre::barrier();
  if (acre::rank() == 0) {
    std::vector<std::uint64_t> keys(2000);
    std::iota(keys.begin(), keys.end(), 0);
    try {
      map.insert_many(keys, keys);
    } catch (const acre::error&) {
    }
  }
  map.clear();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (std::chrono::steady_clock::now() < end) acre::progress();
  plain_hash::disturbance = nullptr;
  EXPECT_EQ(map.size(), 0U);
}

TEST(HashMapBulk, SaysHowManyFoundNoRoom) {
  table map(acre::world(), 64 * acre::size());
  std::vector<std::uint64_t> keys(1000);
  std::iota(keys.begin(), keys.end(), 0);
  if (acre::rank() == 0) {
    EXPECT_THROW(static_cast<void>(map.insert_many(keys, keys)), acre::error);
  }
  EXPECT_GE(map.size(), 64U);
  std::uint64_t there = 0;
  for (const auto& [key, value] : map) {
    EXPECT_EQ(key, value);
    ++there;
  }
  EXPECT_EQ(there, map.size());
}

TEST(HashMapBulk, RefusesUnequalNumbersOfKeysAndValues) {
  table map(acre::world(), 10);
  EXPECT_THROW(static_cast<void>(
                   map.insert_many(std::vector<std::uint64_t>(3), std::vector<std::uint64_t>(2))),
               acre::error);
  acre::barrier();
}

TEST(HashMapBulk, SpendsAMessageOnAsManyAsItCarries) {
  if (acre::runtime::node_count() != acre::size() || acre::size() == 1) GTEST_SKIP();
  table map(acre::world(), 40'000);
  // Answers to others would be counted.
  if (acre::rank() == 0) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; keys.size() < 100; ++i) {
      if (!map.owner(i).is_this_rank()) keys.push_back(i);
    }
    const auto before = acre::counters();
    static_cast<void>(map.insert_many(keys, keys));
    const auto spent = acre::counters() - before;
    EXPECT_EQ(spent.messages, acre::size() - 1);
    EXPECT_EQ(spent.rpcs, 0U);
  }
  acre::barrier();
}

TEST(HashMapBulk, AnswersLater) {
  table map(acre::world(), 1000);
  std::vector<acre::future<bool>> inserted;
  for (std::uint64_t i = acre::rank(); i < 100; i += acre::size()) {
    inserted.push_back(map.insert_async(i, i));
  }
  for (auto& each : inserted) EXPECT_TRUE(each.get());
  acre::barrier();
  EXPECT_FALSE(map.insert_async(5, 1).get());
  auto sum = map.find_async(3).then([](std::optional<std::uint64_t> value) { return *value + 1; });
  EXPECT_EQ(sum.get(), 4U);
  EXPECT_EQ(map.find_async(100).get(), std::nullopt);
  acre::barrier();
  map.fetch_add_async(1000, 2).get();
  map.update_async(1001, [](std::uint64_t& value) { value += 3; }, 3).get();
  map.insert_or_assign_async(1002, acre::rank()).get();
  acre::barrier();
  EXPECT_EQ(map.find(1000), 2 * acre::size());
  EXPECT_EQ(map.find(1001), 3 * acre::size());
  EXPECT_LT(map.find(1002), acre::size());
  acre::barrier();
  if (acre::rank() == 0) {
    EXPECT_TRUE(map.erase_async(1000).get());
  }
  acre::barrier();
  EXPECT_FALSE(map.contains(1000));
  acre::barrier();
}

TEST(HashMapBulk, HasItsAnswersBeforeItIsResizedOrEnds) {
  std::vector<acre::future<bool>> inserted;
  std::vector<acre::future<bool>> more;
  {
    table map(acre::world(), 2000);
    for (std::uint64_t i = acre::rank(); i < 200; i += acre::size()) {
      inserted.push_back(map.insert_async(i, i));
    }
    map.resize(4000);
    EXPECT_EQ(map.size(), 200U);
    for (std::uint64_t i = acre::rank(); i < 200; i += acre::size()) {
      more.push_back(map.insert_async(i + 1000, i));
    }
  }
  for (auto& each : inserted) EXPECT_TRUE(each.get());
  for (auto& each : more) EXPECT_TRUE(each.get());
}

TEST(HashMapBulk, FailsLaterWhenItIsFull) {
  table map(acre::world(), 16 * acre::size());
  std::uint64_t added = 0;
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    try {
      if (map.insert_async(i * acre::size() + acre::rank(), i).get()) ++added;
    } catch (const acre::error& full) {
      EXPECT_NE(std::string(full.what()).find("full"), std::string::npos) << full.what();
      ++failed;
    }
  }
  EXPECT_EQ(added + failed, 100U);
  EXPECT_EQ(map.size(), acre::world().allreduce(added));
  EXPECT_EQ(map.size(), 16 * acre::size());
}

TEST(HashMapBulk, HasWhatHangsOnItsAnswersDoneBeforeItEnds) {
  acre::future<std::vector<std::uint32_t>> found;
  acre::future<bool> refused;
  {
    acre::hash_map<std::string, std::vector<std::uint32_t>> map(acre::world(), 4 * acre::size());
    std::uint32_t key = 0;
    const auto owner = [&](std::uint32_t number) { return map.owner(std::to_string(number)); };
    while (owner(key).world_rank() != (acre::rank() + 1) % acre::size()) ++key;
    map.insert_async(std::to_string(key), std::vector<std::uint32_t>(60'000, key)).get();
    acre::barrier();
    found = map.find_async(std::to_string(key))
                .then([](std::optional<std::vector<std::uint32_t>> value) {
                  return std::move(*value);
                });
    acre::barrier();
    for (std::uint32_t more = key + 1; more < key + 300; ++more) {
      if (owner(more) == owner(key)) refused = map.insert_async(std::to_string(more), {1, 2, 3});
      if (refused.is_valid())
        std::move(refused)
            .then([](acre::future<bool> done) {
              try {
                static_cast<void>(done.get());
              } catch (const acre::error&) {
              }
            })
            .wait();
    }
  }
  EXPECT_EQ(found.get().size(), 60'000U);
}

TEST(HashMapBulk, RefusesMembersThatDisagreeOnAllOfThem) {
  if (acre::size() == 1) GTEST_SKIP();
  const std::uint64_t mine = acre::rank() == 0 ? 100 : 2000;
  EXPECT_THROW(table(acre::world(), mine), acre::error);
  EXPECT_THROW(
      table(acre::world(), 100, acre::rank() == 0 ? acre::growth::automatic : acre::growth::manual),
      acre::error);
  table map(acre::world(), 1000);
  for (std::uint64_t i = acre::rank(); i < 500; i += acre::size()) map.insert(i, i);
  EXPECT_THROW(map.resize(mine), acre::error);
  EXPECT_THROW(map.grow_if_needed(acre::rank() == 0 ? 0.1 : 0.9), acre::error);
  EXPECT_THROW(map.grow_if_needed(acre::rank() == 0 ? -1 : 0.5), acre::error);
  map.reserve(mine);
  EXPECT_GE(map.capacity(), 2000U);
  EXPECT_EQ(map.size(), 500U);
}

TEST(HashMapBulk, ShowsAllEntriesToEveryRank) {
  table map(acre::world(), 8000);
  for (std::uint64_t i = acre::rank(); i < 3000; i += acre::size()) map.insert(i, 2 * i);
  acre::barrier();
  std::map<std::uint64_t, std::uint64_t> all;
  for (const auto& [key, value] : map) all.emplace(key, value);
  ASSERT_EQ(all.size(), 3000U);
  for (const auto& [key, value] : all) EXPECT_EQ(value, 2 * key);
  acre::barrier();
  map.clear();
  EXPECT_EQ(map.begin(), map.end());
  acre::barrier();
}

TEST(HashMapBulk, AnswersQuestionsInTheirOrder) {
  table map(acre::world(), 40'000);
  for (std::uint64_t i = acre::rank(); i < 9000; i += acre::size()) map.insert(i, i + 7);
  acre::barrier();
  std::vector<std::uint64_t> order;
  {
    acre::buffered reader(map,
                          acre::finding(
                              [&](std::uint64_t key, const std::optional<std::uint64_t>& value) {
                                order.push_back(key);
                                EXPECT_EQ(value.has_value(), key < 9000);
                                if (value) {
                                  EXPECT_EQ(*value, key + 7);
                                }
                              },
                              only<find>));
    for (std::uint64_t i = 0; i < 10'000; ++i) reader.find(i);
    EXPECT_LT(order.size(), 10'000U);
  }
  ASSERT_EQ(order.size(), 10'000U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
  acre::barrier();
}

TEST(HashMapBulk, GrowsByItselfAtCollectiveCalls) {
  table map(acre::world(), 64 * acre::size(), acre::growth::automatic);
  std::uint64_t next = acre::rank();
  for (int round = 0; round < 6; ++round) {
    const std::uint64_t before = map.capacity();
    for (std::uint64_t i = 0; i < before / acre::size() / 4; ++i, next += acre::size()) {
      EXPECT_TRUE(map.insert(next, next));
    }
    map.sync();
  }
  EXPECT_GT(map.capacity(), 64 * acre::size());
  for (std::uint64_t key = acre::rank(); key < next; key += acre::size())
    EXPECT_EQ(map.find(key), key);
  acre::barrier();
}

TEST(HashMapBulk, MakesRoomForSoMany) {
  table map(acre::world(), 16);
  map.reserve(5000);
  for (std::uint64_t i = acre::rank(); i < 5000; i += acre::size()) EXPECT_TRUE(map.insert(i, i));
  EXPECT_EQ(map.size(), 5000U);
  map.rehash(1);
  EXPECT_GE(map.capacity(), 5000U);
  EXPECT_EQ(map.size(), 5000U);
}

TEST(HashSetSmoke, LetsOneOfAllRanksInsertAKey) {
  acre::hash_set<std::uint64_t> set(acre::world(), 1000);
  std::uint64_t mine = 0;
  for (std::uint64_t key = 0; key < 100; ++key) mine += set.insert(key) ? 1 : 0;
  acre::barrier();
  EXPECT_EQ(acre::world().allreduce(mine), 100U);
  EXPECT_EQ(set.size(), 100U);
  EXPECT_TRUE(set.contains(99, only<find>));
  EXPECT_FALSE(set.contains(100));
  acre::barrier();
  const std::set<std::uint64_t> all(set.begin(), set.end());
  EXPECT_EQ(all.size(), 100U);
  acre::barrier();
}

TEST(HashSet, HoldsTextsAndTakesManyAtOnce) {
  acre::hash_set<std::string> set(acre::world(), 1000);
  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back("word " + std::to_string(i));
  const std::uint64_t added = set.insert_many(words);
  EXPECT_EQ(acre::world().allreduce(added), 100U);
  EXPECT_TRUE(set.contains("word 7"));
  std::uint64_t local = 0;
  set.for_each_local([&](const std::string&) { ++local; });
  EXPECT_EQ(local, set.local_size());
  acre::barrier();
  if (acre::rank() == 0) {
    EXPECT_TRUE(set.erase("word 7"));
  }
  acre::barrier();
  EXPECT_FALSE(set.contains("word 7"));
  acre::barrier();
}

TEST(HashSet, InsertsWithoutWaiting) {
  acre::hash_set<std::uint64_t> set(acre::world(), 1000);
  std::vector<acre::future<bool>> inserted;
  for (std::uint64_t key = 0; key < 100; ++key) inserted.push_back(set.insert_async(key));
  std::uint64_t mine = 0;
  for (acre::future<bool>& each : inserted) mine += each.get() ? 1 : 0;
  EXPECT_EQ(acre::world().allreduce(mine), 100U);
  EXPECT_EQ(set.size(), 100U);
}

TEST(HashSet, TakesBufferedWriters) {
  acre::hash_set<std::uint64_t> set(acre::world(), 10'000);
  {
    acre::buffered writer(set, acre::inserting);
    for (std::uint64_t key = 0; key < 3000; ++key) writer.insert(key);
  }
  EXPECT_EQ(set.size(), 3000U);
}

TEST(CountingMapSmoke, CountsTogether) {
  acre::counting_map<std::string> words(acre::world(), 100);
  for (int i = 0; i < 10; ++i) words.add("the");
  words.add("a", 5);
  acre::barrier();
  EXPECT_EQ(words.count("the"), 10 * acre::size());
  EXPECT_EQ(words.count("a"), 5 * acre::size());
  EXPECT_EQ(words.count("an"), 0U);
  EXPECT_EQ(words.size(), 2U);
}

TEST(CountingMap, CountsWithoutWaiting) {
  acre::counting_map<std::string, std::uint32_t> words(acre::world(), 1000);
  const std::string mine = "word of rank " + std::to_string(acre::rank());
  EXPECT_EQ(words.add_async(mine).get(), 0U);
  EXPECT_EQ(words.add_async(mine, 4).get(), 1U);
  EXPECT_EQ(words.add_async(mine, ~std::uint32_t{0}, only<update>).get(), 5U) << "wraps around";
  std::vector<acre::future<std::uint32_t>> before;
  for (int i = 0; i < 20; ++i) before.push_back(words.add_async("word of all", 2));
  std::set<std::uint32_t> seen;
  for (acre::future<std::uint32_t>& each : before) seen.insert(each.get());
  EXPECT_EQ(seen.size(), 20U);
  EXPECT_TRUE(std::ranges::all_of(
      seen, [](std::uint32_t times) { return times % 2 == 0 && times < 40 * acre::size(); }));
  acre::barrier();
  for (acre::rank_t each = 0; each < acre::size(); ++each) {
    EXPECT_EQ(words.count("word of rank " + std::to_string(each)), 4U);
  }
  EXPECT_EQ(words.count("word of all"), 40 * acre::size());
  acre::barrier();
}

TEST(CountingMap, CountsManyAtOnce) {
  acre::counting_map<std::string> words(acre::world(), 100);
  words.add_many(std::vector<std::string>{"a", "b", "a", "c", "a"});
  acre::barrier();
  EXPECT_EQ(words.count("a"), 3 * acre::size());
  EXPECT_EQ(words.count("c"), acre::size());
  acre::barrier();
}

TEST(CountingMap, TakesBufferedWriters) {
  acre::counting_map<std::uint64_t, std::uint32_t> numbers(acre::world(), 4000);
  {
    acre::buffered writer(numbers, acre::counting);
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t key = 0; key < 500; ++key) writer.add(key);
    }
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 500; ++key) EXPECT_EQ(numbers.count(key), 3 * acre::size());
  acre::barrier();
}

}  // namespace
