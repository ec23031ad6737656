// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/container/hash/chosen_hash_test.hpp>
#include <acre/container/hash/follow_model_test.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using acre::testing::crowded;
using acre::testing::crowding;
using acre::testing::crowding_hash;
using table = acre::hash_map<std::uint64_t, std::uint64_t>;
constexpr acre::growth automatic = acre::growth::automatic;

std::uint64_t keys(std::uint64_t in_a_node) {
  if (acre::runtime::node_count() != 1) return in_a_node / 30;
  return acre::size() < 4 ? in_a_node / 4 : in_a_node / 2;
}

std::size_t free_bytes() { return acre::runtime::segment_free().private_part; }

template <class Map>
std::size_t count_by_walk(const Map& map) {
  std::vector<typename Map::key_type> seen;
  for (const auto& [key, value] : map) seen.push_back(key);
  std::ranges::sort(seen);
  const auto again = std::ranges::adjacent_find(seen);
  EXPECT_TRUE(again == seen.end()) << *again << " is there twice";
  return seen.size();
}

TEST(GrowthSmoke, TakesManyTimesItsCapacityBetweenCollectives) {
  table map(acre::world(), 16, automatic);
  const std::uint64_t capacity = map.capacity();
  for (std::uint64_t first = 0; const std::uint64_t many : {keys(100'000), keys(120'000)}) {
    for (std::uint64_t key = first + acre::rank(); key < many; key += acre::size()) {
      ASSERT_TRUE(map.insert(key, key + 1));
      if (key % 16 == 0) {
        ASSERT_FALSE(map.insert(key, 0));
      }
      map.fetch_add(1'000'000'000 + key % 20, 1);
    }
    acre::barrier();
    EXPECT_TRUE(first != 0 || map.capacity() == capacity) << "it has grown in the old way";
    for (std::uint64_t key = (acre::rank() + 1) % acre::size(); key < many; key += acre::size()) {
      ASSERT_EQ(map.find(key), key + 1);
    }
    EXPECT_FALSE(map.contains(many));
    const std::uint64_t local = map.local_size();
    std::uint64_t walked = 0;
    map.for_each_local([&](std::uint64_t, std::uint64_t) { ++walked; });
    EXPECT_EQ(walked, local);
    if (acre::rank() == 0) {
      EXPECT_EQ(count_by_walk(map), many + 20);
    }
    acre::barrier();
    EXPECT_EQ(map.size(), many + 20);
    EXPECT_LE(map.load_factor(), 0.75);
    for (std::uint64_t key = acre::rank(); key < many; key += 8 * acre::size()) {
      ASSERT_EQ(map.find(key), key + 1);
    }
    first = many;
  }
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 20; ++i) sum += map.find(1'000'000'000 + i).value_or(0);
  EXPECT_EQ(sum, keys(120'000));
  acre::barrier();
}

TEST(Growth, LetsOneOfAllRanksInsertAKey) {
  for (const std::uint64_t capacity : {1U, 5000U}) {
    table map(acre::world(), capacity, automatic);
    const std::uint64_t many = keys(10'000);
    std::uint64_t won = 0;
    for (std::uint64_t i = 0; i < many; ++i) {
      const std::uint64_t key = acre::rank() % 2 == 0 ? i : many - 1 - i;
      if (map.insert(key, acre::rank())) ++won;
    }
    EXPECT_EQ(acre::world().allreduce(won), many);
    std::uint64_t walked = 0;
    map.for_each_local([&](std::uint64_t, std::uint64_t) { ++walked; });
    EXPECT_EQ(acre::world().allreduce(walked), many);
    EXPECT_EQ(map.size(), many);
  }
}

template <class Hash>
void follow_models(std::uint64_t own_keys, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  acre::hash_map<std::uint64_t, std::uint64_t, Hash> map(acre::world(), 16, automatic);
  for (int round = 0; round < 2; ++round) {
    acre::testing::map_model model;
    acre::testing::follow_model(map, model, own_keys, keys(20'000), seed);
    EXPECT_EQ(map.size(), acre::world().allreduce(std::uint64_t{model.size()}));
    for (const auto& [key, value] : model) EXPECT_EQ(map.find(key), value);
    acre::barrier();
    map.clear();
    EXPECT_EQ(map.size(), 0U);
  }
}

TEST(Growth, DoesWhatMapsDoForAllRanksAtOnce) {
  const auto seed = acre::world().broadcast(std::uint64_t{std::random_device{}()}, 0);
  follow_models<acre::hash<std::uint64_t>>(2000, seed);
  crowding_hash::chosen = crowding::few_homes;
  follow_models<crowding_hash>(600, seed);
}

TEST(Growth, TakesTextsAndGivesBackAllMemory) {
  using texts = acre::hash_map<std::string, std::vector<std::uint32_t>>;
  const auto text_of = [](std::uint64_t number) {
    return std::to_string(number) + std::string(number % 50 == 0 ? 500 : number % 5, 'x');
  };
  const auto many = static_cast<std::uint32_t>(keys(10'000));
  acre::barrier();
  const std::size_t before = free_bytes();
  {
    texts map(acre::world(), 16, automatic);
    const std::size_t with_map = free_bytes();
    acre::barrier();
    for (std::uint32_t i = acre::rank(); i < many; i += acre::size()) {
      EXPECT_TRUE(map.insert(text_of(i), {i}));
      map.apply(
          text_of(i), [](std::vector<std::uint32_t>& all, std::uint32_t x) { all.push_back(x); },
          i + 1);
    }
    acre::barrier();
    for (std::uint32_t i = acre::size() - 1 - acre::rank(); i < many; i += acre::size()) {
      EXPECT_EQ(map.find(text_of(i)), (std::vector<std::uint32_t>{i, i + 1}));
      if (i % 2 == 0) {
        EXPECT_TRUE(map.erase(text_of(i)));
      }
    }
    EXPECT_EQ(map.size(), many / 2);
    if (acre::rank() == 0) {
      EXPECT_EQ(count_by_walk(map), many / 2);
    }
    acre::barrier();
    map.clear();
    map.resize(16);
    acre::barrier();
    EXPECT_EQ(free_bytes(), with_map);
    acre::barrier();
    for (std::uint32_t i = acre::rank(); i < many; i += acre::size()) map.insert(text_of(i), {i});
    acre::barrier();
    map.clear();
    acre::barrier();
    EXPECT_EQ(free_bytes(), with_map) << "clear() gives back the further blocks";
    acre::barrier();
    for (std::uint32_t i = acre::rank(); i < many; i += acre::size()) map.insert(text_of(i), {i});
  }
  acre::barrier();
  EXPECT_EQ(free_bytes(), before);
  acre::barrier();
}

TEST(Growth, TakesKeysByAnyCall) {
  const std::uint64_t many = keys(10'000);
  std::vector<std::uint64_t> mine;
  for (std::uint64_t key = acre::rank(); key < many; key += acre::size()) mine.push_back(key);
  table map(acre::world(), 16, automatic);
  EXPECT_EQ(map.insert_many(mine, mine), mine.size());
  EXPECT_EQ(map.insert_many(mine, mine), 0U);
  const auto found = map.find_many(mine);
  for (std::size_t i = 0; i < mine.size(); ++i) ASSERT_EQ(found[i], mine[i]);
  EXPECT_EQ(map.size(), many);

  acre::counting_map<std::uint64_t, std::uint32_t> times(acre::world(), 16, automatic);
  times.add_many(mine);
  {
    acre::buffered writer(times, acre::counting);
    for (std::uint64_t key = 0; key < many; ++key) writer.add(key);
  }
  acre::barrier();
  for (const std::uint64_t key : mine) ASSERT_EQ(times.count(key), 1 + acre::size());
  EXPECT_EQ(times.size(), many);

  acre::hash_set<std::uint64_t> set(acre::world(), 16, automatic);
  {
    acre::buffered writer(set, acre::inserting);
    for (const std::uint64_t key : mine) writer.insert(key);
  }
  acre::barrier();
  EXPECT_EQ(set.insert_many(mine), 0U);
  EXPECT_EQ(set.size(), many);

  table later(acre::world(), 16, automatic);
  std::vector<acre::future<bool>> added;
  for (std::size_t i = 0; i < std::min(mine.size(), std::size_t{500}); ++i) {
    added.push_back(later.insert_async(mine[i], 1));
  }
  for (acre::future<bool>& each : added) EXPECT_TRUE(each.get());
  acre::barrier();
  for (std::uint64_t key = 0; key < 2000; ++key) {
    if (later.owner(key).is_this_rank()) later.insert_or_assign(key, 2, acre::guarantees::local);
  }
  for (std::uint64_t key = 0; key < 2000; ++key) {
    if (later.owner(key).is_this_rank()) {
      EXPECT_EQ(later.find(key, acre::guarantees::local), 2U);
    }
  }
  acre::barrier();
}

TEST(Growth, HoldsWhatThreadsOfAllRanksInsertAtOnce) {
  table map(acre::world(), 1, automatic);
  const std::uint64_t many = keys(8000);
  std::uint64_t won[3] = {};
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t& mine : won) {
      threads.emplace_back([&] {
        for (std::uint64_t key = 0; key < many; ++key) {
          if (map.insert(key, 0)) ++mine;
          map.fetch_add(key, 1);
          if (key % 3 == 0) map.erase(many + key);
          if (key % 5 == 0) map.insert(many + key, 0);
        }
      });
    }
  }
  EXPECT_EQ(acre::world().allreduce(won[0] + won[1] + won[2]), many);
  for (std::uint64_t key = acre::rank(); key < many; key += acre::size()) {
    ASSERT_EQ(map.find(key), 3 * acre::size());
  }
  acre::barrier();
  for (std::uint64_t key = acre::rank(); key < many; key += acre::size()) map.erase(many + key);
  EXPECT_EQ(map.size(), many);
  EXPECT_EQ(count_by_walk(map), many);
  acre::barrier();
}

TEST(Growth, EndsAtTheNextCollectiveThatMakesRoom) {
  const auto fill = [](table& map, std::uint64_t many) {
    for (std::uint64_t key = acre::rank(); key < many; key += acre::size()) map.insert(key, key);
  };
  const std::uint64_t many = 5000;
  acre::barrier();
  const std::size_t before = free_bytes();
  for (const int way : {0, 1, 2, 3, 4, 5}) {
    table map(acre::world(), 16, automatic);
    fill(map, many);
    acre::barrier();
    if (way == 0) map.sync();
    if (way == 1) map.reserve(1);
    if (way == 2) map.rehash(1);
    if (way == 3) map.resize(100'000);
    if (way == 4) {
      EXPECT_TRUE(map.grow_if_needed(2.0));
    }
    if (way == 5) {
      acre::buffered writer(map, acre::adding);
      writer.flush_and_grow();
    }
    EXPECT_GE(map.capacity(), many / 3 * 4) << way;
    const std::size_t bytes = sizeof(std::uint64_t) * 3;
    const auto room = static_cast<std::size_t>(map.capacity() / acre::size()) * bytes;
    acre::barrier();
    EXPECT_LT(before - free_bytes(), room + 10'000) << way << ": further blocks are still there";
    EXPECT_EQ(map.size(), many);
  }
  acre::barrier();
  EXPECT_EQ(free_bytes(), before);
  acre::barrier();
}

class scarce_memory {
 public:
  scarce_memory() {
    for (std::size_t bytes = std::size_t{1} << 40; bytes >= 1024; bytes /= 2) {
      for (;;) {
        try {
          held_.push_back(acre::allocate<std::byte>(bytes));
        } catch (const acre::error&) {
          break;
        }
      }
    }
  }
  ~scarce_memory() {
    for (const auto& each : held_) acre::deallocate(each);
  }
  scarce_memory(const scarce_memory&) = delete;
  scarce_memory& operator=(const scarce_memory&) = delete;

 private:
  std::vector<acre::global_ptr<std::byte>> held_;
};

TEST(Growth, SaysThatThereIsNoMemoryAndLosesNothing) {
  table map(acre::world(), 4000, automatic);
  acre::barrier();
  std::vector<std::uint64_t> inside;
  std::uint64_t refused = 0;
  {
    const scarce_memory all_of_it;
    acre::barrier();
    for (std::uint64_t key = acre::rank(); key < 6000; key += acre::size()) {
      try {
        EXPECT_TRUE(map.insert(key, key));
        inside.push_back(key);
      } catch (const acre::error& full) {
        ++refused;
        EXPECT_EQ(full.call(), "hash_map::insert");
        EXPECT_NE(full.problem().find("is full"), std::string::npos) << full.what();
        EXPECT_NE(full.problem().find("out of memory"), std::string::npos) << full.what();
        EXPECT_NE(full.advice().find("ACRE_SEGMENT_SIZE"), std::string::npos) << full.what();
        EXPECT_FALSE(map.contains(key));
      }
    }
    acre::barrier();
    EXPECT_GT(acre::world().allreduce(refused), 0U);
    for (const std::uint64_t key : inside) EXPECT_EQ(map.find(key), key);
    acre::barrier();
  }
  acre::barrier();
  for (std::uint64_t key = acre::rank(); key < 6000; key += acre::size()) {
    map.insert_or_assign(key, key + 1);
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 6000U);
  for (std::uint64_t key = acre::rank(); key < 6000; key += acre::size()) {
    EXPECT_EQ(map.find(key), key + 1);
  }
  acre::barrier();
}

TEST(Growth, SaysThatAHashIsBadInsteadOfGrowingForEver) {
  crowding_hash::chosen = crowding::one_home;
  crowded map(acre::world(), 70'000 * acre::size(), automatic);
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < 1024; ++key) map.insert(key, 1);
    try {
      map.insert(1024, 1);
      ADD_FAILURE() << "1025 keys are within 1024 buckets";
    } catch (const acre::error& full) {
      EXPECT_NE(full.problem().find("nearly the same hash"), std::string::npos) << full.what();
    }
  }
  EXPECT_EQ(map.size(), 1024U);
}

TEST(Growth, KeepsKeysOfOneHashInBlocks) {
  crowding_hash::chosen = crowding::one_home;
  crowded map(acre::world(), 1100 * acre::size(), automatic);
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < 1060; ++key) EXPECT_TRUE(map.insert(key, key));
  }
  EXPECT_EQ(map.size(), 1060U);
  EXPECT_EQ(count_by_walk(map), 1060U);
  for (std::uint64_t key = 0; key < 1060; key += 53) EXPECT_EQ(map.find(key), key);
  acre::barrier();
}

}  // namespace
