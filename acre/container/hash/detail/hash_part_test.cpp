// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash/detail/hash_part.hpp>

#include <acre/base/error.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/part_in_memory_test.hpp>
#include <acre/runtime/running_code.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace {

using acre::container::most_reach;
using acre::container::outcome;
using acre::testing::find_in;
using acre::testing::poor_hash;
using acre::testing::same_hash;
using acre::testing::table;

template <class Hash>
void follow_model(std::size_t capacity, std::size_t room, std::uint64_t keys, int steps,
                  std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  table<std::uint64_t, std::uint32_t, Hash> tested(capacity);
  std::unordered_map<std::uint64_t, std::uint32_t> model;
  std::mt19937_64 random(seed);
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t key = random() % keys;
    const auto value = static_cast<std::uint32_t>(random());
    const auto before = model.find(key);
    const bool full = before == model.end() && model.size() == room;
    const outcome absent = full ? outcome::no_room : outcome::added;
    switch (random() % 5) {
      case 0:
        ASSERT_EQ(tested.insert(key, value), before != model.end() ? outcome::found : absent);
        if (!full) model.emplace(key, value);
        break;
      case 1:
        ASSERT_EQ(tested.assign(key, value), before != model.end() ? outcome::found : absent);
        if (!full) model[key] = value;
        break;
      case 2:
        ASSERT_EQ(tested.add(key, value), before != model.end() ? outcome::found : absent);
        if (!full) model[key] += value;
        break;
      case 3:
        ASSERT_EQ(tested.erase(key), model.erase(key) == 1);
        break;
      default:
        ASSERT_EQ(tested.find(key),
                  before == model.end() ? std::nullopt : std::optional(before->second));
    }
  }
  std::map<std::uint64_t, std::uint32_t> seen;
  tested.view().for_each(
      [&](auto key, auto value) { EXPECT_TRUE(seen.emplace(key, value).second); });
  EXPECT_EQ(seen, (std::map<std::uint64_t, std::uint32_t>(model.begin(), model.end())));
}

TEST(HashPart, DoesWhatAMapDoes) {
  const std::uint64_t seed = std::random_device{}();
  follow_model<acre::hash<std::uint64_t>>(100, 100, 90, 20'000, seed);
  follow_model<acre::hash<std::uint64_t>>(64, 64, 200, 20'000, seed + 1);
  follow_model<poor_hash>(100, 100, 80, 20'000, seed + 2);
  follow_model<same_hash>(40, 40, 50, 10'000, seed + 3);
  follow_model<same_hash>(2000, most_reach, 1500, 20'000, seed + 4);
  follow_model<acre::hash<std::uint64_t>>(1, 1, 3, 1000, seed + 5);
}

TEST(HashPart, NeedsNoScanForAMissHoweverManyKeysHaveComeAndGone) {
  table<std::uint64_t, std::uint32_t> tested(1000);
  for (std::uint64_t key = 0; key < 200'000; ++key) {
    ASSERT_EQ(tested.insert(key, 1), outcome::added);
    if (key >= 500) {
      ASSERT_TRUE(tested.erase(key - 500));
    }
  }
  auto all = tested.view();
  for (std::uint64_t key = 1'000'000; key < 1'010'000; ++key) {
    ASSERT_FALSE(find_in(all, key, all.hash_of(key)));
  }
  EXPECT_LT(all.costs().reads, 40'000U) << "at half load a miss looks at few buckets";
  EXPECT_EQ(all.costs().atomics, 0U);
}

TEST(HashPart, SpendsNoMoreThanTheLongestReachWhenItIsFull) {
  constexpr std::uint64_t capacity = 1 << 17;
  table<std::uint64_t, std::uint32_t> tested(capacity);
  std::uint64_t entries = 0;
  std::uint64_t key = 0;
  for (; entries < capacity / 5 * 4; ++key, ++entries) {
    ASSERT_EQ(tested.insert(key, 1), outcome::added) << "up to four fifths there is room";
  }
  auto all = tested.view();
  std::uint64_t refused = 0;
  for (; refused < 500; ++key) {
    all = tested.view();
    const outcome done = all.insert(key, all.hash_of(key), 1);
    ASSERT_NE(done, outcome::found);
    ASSERT_LE(all.costs().reads, 3 * most_reach);
    done == outcome::added ? ++entries : ++refused;
  }
  EXPECT_GT(entries, capacity / 100 * 85);
  for (std::uint64_t absent = key; absent < key + 1000; ++absent) {
    all = tested.view();
    ASSERT_FALSE(find_in(all, absent, all.hash_of(absent)));
    ASSERT_LE(all.costs().reads, most_reach);
  }
  std::uint64_t found = 0;
  for (std::uint64_t each = 0; each < key; ++each) found += tested.find(each) ? 1 : 0;
  EXPECT_EQ(found, entries) << "no entry is lost";
}

TEST(HashPart, KeepsEachKeyNearItsHomeWhenItIsCopied) {
  table<std::uint64_t, std::uint32_t, same_hash> crowded(1500);
  for (std::uint64_t key = 0; key < most_reach; ++key) {
    ASSERT_EQ(crowded.insert(key, static_cast<std::uint32_t>(key)), outcome::added);
  }
  EXPECT_EQ(crowded.insert(most_reach, 1), outcome::no_room);
  for (const std::size_t capacity : {1024U, 1501U, 3000U, 100'000U}) {
    table<std::uint64_t, std::uint32_t, same_hash> copy(capacity);
    auto target = copy.view();
    EXPECT_EQ(crowded.view().copy_to(target), most_reach);
    for (std::uint64_t key = 0; key < most_reach; ++key) ASSERT_EQ(copy.find(key), key);
  }
  table<std::uint64_t, std::uint32_t, same_hash> small(1023);
  auto target = small.view();
  EXPECT_EQ(crowded.view().copy_to(target), std::nullopt);

  table<std::uint64_t, std::uint32_t> large(50'000);
  std::uint64_t entries = 0;
  for (std::uint64_t key = 0; key < 60'000; ++key) {
    entries += large.insert(key, 1) == outcome::added ? 1 : 0;
  }
  for (const std::size_t capacity : {100'000U, 200'000U}) {
    table<std::uint64_t, std::uint32_t> copy(capacity);
    auto larger = copy.view();
    ASSERT_EQ(large.view().copy_to(larger), entries);
    std::uint64_t found = 0;
    for (std::uint64_t key = 0; key < 60'000; ++key) found += copy.find(key) ? 1 : 0;
    EXPECT_EQ(found, entries);
  }
  table<std::uint64_t, std::uint32_t> tight(entries);
  auto no_room = tight.view();
  EXPECT_EQ(large.view().copy_to(no_room), std::nullopt) << "not beyond the longest reach";
}

TEST(HashPart, ForgetsItsReachesWhenItIsEmptied) {
  table<std::uint64_t, std::uint32_t, same_hash> tested(300);
  for (std::uint64_t key = 0; key < 300; ++key) ASSERT_EQ(tested.insert(key, 1), outcome::added);
  EXPECT_EQ(tested.insert(300, 1), outcome::no_room);
  for (std::uint64_t key = 0; key < 300; ++key) ASSERT_TRUE(tested.erase(key));
  auto all = tested.view();
  EXPECT_FALSE(find_in(all, std::uint64_t{7}, all.hash_of(std::uint64_t{7})));
  EXPECT_EQ(all.costs().reads, 1U);
}

TEST(HashPart, StaysAsItWasWhenAnUpdateThrows) {
  table<std::uint64_t, std::uint64_t> tested(8);
  ASSERT_EQ(tested.insert(1, 10), outcome::added);
  auto all = tested.view();
  const auto half_way = [](std::uint64_t& value) {
    value = 99;
    throw std::runtime_error("no");
  };
  EXPECT_THROW(
      all.upsert(1, all.hash_of(std::uint64_t{1}), half_way, [] { return std::uint64_t{0}; }),
      std::runtime_error);
  EXPECT_EQ(tested.find(1), 10U);
  const auto no_value = []() -> std::uint64_t { throw std::runtime_error("no"); };
  EXPECT_THROW(all.upsert(
                   2, all.hash_of(std::uint64_t{2}), [](std::uint64_t&) {}, no_value),
               std::runtime_error);
  EXPECT_FALSE(tested.find(2));
  EXPECT_EQ(tested.add(2, 5), outcome::added) << "no lock is left behind";
}

TEST(HashPart, RefusesToWaitForALockThatItsThreadHolds) {
  table<std::uint64_t, std::uint64_t, same_hash> tested(8);
  for (const std::uint64_t key : {1U, 2U, 3U}) ASSERT_EQ(tested.insert(key, 10), outcome::added);
  const auto expect_refused = [&](const char* operation, auto&& waits) {
    std::string text = "no error";
    auto all = tested.view();
    const auto change = [&](std::uint64_t&) {
      const acre::runtime::under_container_lock held;
      try {
        waits();
      } catch (const acre::error& refused) {
        text = refused.what();
        throw;
      }
    };
    EXPECT_THROW(
        all.upsert(1, all.hash_of(std::uint64_t{1}), change, [] { return std::uint64_t{0}; }),
        acre::error)
        << operation;
    EXPECT_NE(text.find("inside the function of hash_map::update or apply"), std::string::npos)
        << operation << ": " << text;
  };
  expect_refused("find", [&] { static_cast<void>(tested.find(1)); });
  expect_refused("a miss", [&] { static_cast<void>(tested.find(7)); });
  expect_refused("insert", [&] { static_cast<void>(tested.insert(7, 10)); });
  expect_refused("add", [&] { static_cast<void>(tested.add(1, 1)); });
  expect_refused("erase", [&] { tested.erase(1); });
  expect_refused("erase beside its home", [&] { tested.erase(3); });
  expect_refused("visit", [&] { tested.view().for_each([](auto&&...) {}); });
  for (const std::uint64_t key : {1U, 2U, 3U}) EXPECT_EQ(tested.find(key), 10U);
  EXPECT_FALSE(tested.find(7));
}

TEST(HashPart, SpendsWhatItSays) {
  table<std::uint64_t, std::uint32_t> tested(1000);
  const auto cost = [&](auto&& operation) {
    auto all = tested.view();
    operation(all);
    return std::array{all.costs().reads, all.costs().writes, all.costs().atomics};
  };
  using costs = std::array<std::uint64_t, 3>;
  constexpr std::uint64_t key = 5;
  const auto hash = tested.view().hash_of(key);
  EXPECT_EQ(cost([&](auto& all) { EXPECT_FALSE(find_in(all, key, hash)); }), (costs{1, 0, 0}));
  EXPECT_EQ(cost([&](auto& all) { all.insert(key, hash, 7); }), (costs{0, 1, 1}));
  EXPECT_EQ(cost([&](auto& all) { all.insert(key, hash, 7); }), (costs{1, 0, 0}));
  EXPECT_EQ(cost([&](auto& all) { EXPECT_TRUE(find_in(all, key, hash)); }), (costs{1, 0, 0}));
  EXPECT_EQ(cost([&](auto& all) {
              all.modify(key, hash, [](std::uint32_t& value) noexcept { ++value; });
            }),
            (costs{1, 1, 1}));
  EXPECT_EQ(cost([&](auto& all) { EXPECT_TRUE(all.erase(key, hash)); }), (costs{1, 0, 1}));
  table<std::uint64_t, std::uint32_t, same_hash> crowded(1000);
  crowded.insert(1, 1);
  auto all = crowded.view();
  all.insert(2, all.hash_of(std::uint64_t{2}), 2);
  EXPECT_EQ(all.costs().atomics, 2U);
  EXPECT_EQ(all.costs().writes, 1U);
  EXPECT_EQ(all.costs().reads, 3U);
}

}  // namespace
