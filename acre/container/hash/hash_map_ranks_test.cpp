// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/cost_test.hpp>
#include <acre/container/hash/chosen_hash_test.hpp>
#include <acre/container/hash/follow_model_test.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/hash/wide_value_test.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using acre::testing::common_seed;
using acre::testing::cost;
using acre::testing::costs;
using acre::testing::crowded;
using acre::testing::crowding;
using acre::testing::crowding_hash;
using acre::testing::plain_hash;
using acre::testing::steps;
using acre::testing::wide_value;
using counts = acre::hash_map<std::uint64_t, std::uint32_t>;

TEST(HashMapSmoke, FindsWhatOthersInserted) {
  counts map(acre::world(), 1000);
  for (std::uint64_t key = acre::rank(); key < 300; key += acre::size()) {
    EXPECT_TRUE(map.insert(key, static_cast<std::uint32_t>(key) + 1));
    EXPECT_FALSE(map.insert(key, 0));
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 300U);
  for (std::uint64_t key = 0; key < 300; ++key) {
    EXPECT_EQ(map.find(key), static_cast<std::uint32_t>(key) + 1);
  }
  for (std::uint64_t key = 300; key < 320; ++key) EXPECT_FALSE(map.contains(key));
}

TEST(HashMapSmoke, CountsTogether) {
  counts map(acre::world(), 100);
  const int rounds = steps(400);
  for (int round = 0; round < rounds; ++round) {
    map.fetch_add(7, 1);
    map.update(8, [](std::uint32_t& value) { value += 2; }, 2);
    map.update(9, [](std::uint32_t value) { return value + 3; }, 3);
  }
  acre::barrier();
  const auto all = static_cast<std::uint32_t>(rounds) * acre::size();
  EXPECT_EQ(map.find(7), all);
  EXPECT_EQ(map.find(8), 2 * all);
  EXPECT_EQ(map.find(9), 3 * all);
}

template <class Hash>
void follow_models(std::uint64_t capacity, std::uint64_t keys, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  acre::hash_map<std::uint64_t, std::uint64_t, Hash> map(acre::world(), capacity);
  acre::testing::map_model model;
  acre::testing::follow_model(map, model, keys, static_cast<std::uint64_t>(steps(20'000)), seed);
  acre::barrier();
  EXPECT_EQ(map.size(), acre::world().allreduce(std::uint64_t{model.size()}));
  for (const auto& [key, value] : model) EXPECT_EQ(map.find(key), value);
  map.for_each_local(
      [&](std::uint64_t key, std::uint64_t) { EXPECT_TRUE(map.owner(key).is_this_rank()); });
}

TEST(HashMap, DoesWhatMapsDoForAllRanksAtOnce) {
  const std::uint64_t seed = common_seed();
  follow_models<acre::hash<std::uint64_t>>(400 * acre::size(), 200, seed);
  follow_models<plain_hash>(300 * acre::size(), 200, seed + 100);
  crowding_hash::chosen = crowding::few_homes;
  follow_models<crowding_hash>(300 * acre::size() * acre::size(), 40, seed + 200);
}

TEST(HashMap, LetsOneOfAllRanksInsertAKey) {
  const auto keys = static_cast<std::uint64_t>(steps(2000));
  acre::hash_map<std::uint64_t, std::uint32_t> map(acre::world(), 2 * keys + 64);
  std::uint64_t won = 0;
  for (std::uint64_t i = 0; i < keys; ++i) {
    const std::uint64_t key = acre::rank() % 2 == 0 ? i : keys - 1 - i;
    if (map.insert(key, acre::rank())) ++won;
  }
  EXPECT_EQ(acre::world().allreduce(won), keys);
  EXPECT_EQ(map.size(), keys);
}

TEST(HashMap, LosesNothingWhenItIsFull) {
  counts map(acre::world(), 64 * acre::size());
  std::vector<std::uint64_t> inside;
  std::uint64_t refused = 0;
  for (std::uint64_t key = acre::rank(); key < 64 * acre::size() + 100; key += acre::size()) {
    try {
      EXPECT_TRUE(map.insert(key, static_cast<std::uint32_t>(key)));
      inside.push_back(key);
    } catch (const acre::error& full) {
      ++refused;
      EXPECT_EQ(full.call(), "hash_map::insert");
      EXPECT_NE(full.problem().find("full"), std::string::npos) << full.what();
      EXPECT_FALSE(map.contains(key));
    }
  }
  acre::barrier();
  EXPECT_GT(acre::world().allreduce(refused), 0U);
  EXPECT_EQ(map.size(), acre::world().allreduce(std::uint64_t{inside.size()}));
  for (const std::uint64_t key : inside) EXPECT_EQ(map.find(key), static_cast<std::uint32_t>(key));
  for (const std::uint64_t key : inside)
    EXPECT_FALSE(map.insert(key, 0)) << "what is there is found";
  map.resize(4 * map.capacity());
  for (std::uint64_t key = acre::rank(); key < 64 * acre::size() + 100; key += acre::size()) {
    map.insert_or_assign(key, static_cast<std::uint32_t>(key));
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 64 * acre::size() + 100);
}

TEST(HashMap, ReusesTheBucketsOfErasedKeys) {
  counts map(acre::world(), 64 * acre::size());
  const auto rounds = static_cast<std::uint64_t>(steps(10'000));
  for (std::uint64_t i = 0; i < rounds; ++i) {
    ASSERT_TRUE(map.insert(i * acre::size() + acre::rank(), 1));
    if (i >= 8) {
      ASSERT_TRUE(map.erase((i - 8) * acre::size() + acre::rank()));
    }
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 8 * acre::size());
}

template <std::size_t Words>
void never_tears() {
  acre::hash_map<std::uint32_t, wide_value<Words>> map(acre::world(), 32 * acre::size());
  std::mt19937_64 random(acre::rank());
  for (int step = 0; step < steps(10'000); ++step) {
    const auto key = static_cast<std::uint32_t>(random() % 8);
    switch (random() % 4) {
      case 0:
        map.insert_or_assign(key, wide_value<Words>::of(key + 8 * (random() % 1000)));
        break;
      case 1:
        map.update(
            key,
            [](wide_value<Words>& value) {
              for (auto& word : value.words) word += 8;
            },
            wide_value<Words>::of(key));
        break;
      case 2:
        if (step % 8 == 0) map.erase(key);
        break;
      default:
        if (const auto found = map.find(key)) {
          ASSERT_TRUE(found->is_whole());
          ASSERT_EQ(found->words[0] % 8, key);
        }
    }
  }
  acre::barrier();
}

TEST(HashMap, NeverShowsHalvesOfWideValues) {
  never_tears<2>();
  never_tears<125>();
}

struct two_words {
  std::uint64_t high, low;
  friend bool operator==(const two_words&, const two_words&) = default;
};
struct odd_bytes {
  std::array<char, 3> bytes;
  friend bool operator==(const odd_bytes&, const odd_bytes&) = default;
};

TEST(HashMap, TakesKeysAndValuesOfAnySize) {
  acre::hash_map<two_words, odd_bytes> wide_keys(acre::world(), 200);
  acre::hash_map<odd_bytes, double> short_keys(acre::world(), 200);
  if (acre::rank() == 0) {
    for (unsigned char i = 0; i < 100; ++i) {
      const odd_bytes odd{{static_cast<char>(i), 'x', 'y'}};
      EXPECT_TRUE(wide_keys.insert({1, i}, odd));
      EXPECT_TRUE(short_keys.insert(odd, i / 2.0));
    }
  }
  acre::barrier();
  for (unsigned char i = 0; i < 100; ++i) {
    const odd_bytes odd{{static_cast<char>(i), 'x', 'y'}};
    EXPECT_EQ(wide_keys.find({1, i}), odd);
    EXPECT_EQ(short_keys.find(odd), i / 2.0);
  }
  EXPECT_FALSE(wide_keys.find({2, 1}));
}

TEST(HashMap, CarriesEntriesOfAnySizeToOtherNodes) {
  using large = std::array<std::byte, (1 << 16) - sizeof(int)>;
  acre::hash_map<int, large> map(acre::world(), 8 * acre::size());
  large mine{};
  mine.back() = static_cast<std::byte>(acre::rank() + 1);
  map.insert(static_cast<int>(acre::rank()), mine);
  acre::barrier();
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  const auto found = map.find(static_cast<int>(next));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->back(), static_cast<std::byte>(next + 1));
  EXPECT_EQ(std::ranges::distance(map.begin(), map.end()), acre::size());
  acre::barrier();
}

TEST(HashMap, CarriesFunctionsOfAnySizeToOtherNodes) {
  counts map(acre::world(), 100);
  std::array<std::uint32_t, 25'000> numbers{};
  numbers.fill(1);
  map.update(
      7,
      [numbers](std::uint32_t& value) {
        for (const std::uint32_t each : numbers) value += each;
      },
      numbers[0]);
  map.update(
      7,
      [numbers](std::uint32_t& value) {
        for (const std::uint32_t each : numbers) value += each;
      },
      numbers[0]);
  acre::barrier();
  EXPECT_EQ(map.find(7), 1 + (2 * acre::size() - 1) * 25'000);
  acre::barrier();
}

void throw_at_13(std::uint64_t key) {
  if (key == 13) throw std::runtime_error("an unlucky key");
}
void throw_at_any(std::uint64_t) { throw std::runtime_error("an unlucky rank"); }

TEST(HashMap, ChangesNothingWhenAHashThrows) {
  plain_hash::disturbance = throw_at_13;
  acre::hash_map<std::uint64_t, std::uint64_t, plain_hash> map(acre::world(), 200);
  EXPECT_THROW(map.insert(13, 1), std::runtime_error);
  EXPECT_THROW(static_cast<void>(map.find(13)), std::runtime_error);
  for (std::uint64_t key = 20 + acre::rank(); key < 60; key += acre::size()) map.insert(key, key);
  acre::barrier();
  if (acre::rank() == acre::size() - 1) plain_hash::disturbance = throw_at_any;
  EXPECT_ANY_THROW(map.resize(1000));
  plain_hash::disturbance = nullptr;
  acre::barrier();
  EXPECT_EQ(map.size(), 40U);
  for (std::uint64_t key = 20; key < 60; ++key) EXPECT_EQ(map.find(key), key);
  map.resize(1000);
  EXPECT_EQ(map.size(), 40U);
  acre::barrier();
}

TEST(HashMap, LeavesTheValueWhenAnUpdateThrows) {
  counts map(acre::world(), 100);
  for (std::uint64_t key = acre::rank(); key < 40; key += acre::size()) map.insert(key, 7);
  acre::barrier();
  for (std::uint64_t key = 0; key < 40; ++key) {
    try {
      map.update(
          key,
          [](std::uint32_t& value) {
            value = 99;
            throw std::runtime_error("changed its mind");
          },
          0);
      ADD_FAILURE() << "the exception was lost";
    } catch (const std::exception& thrown) {
      EXPECT_NE(std::string(thrown.what()).find("changed its mind"), std::string::npos);
    }
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 40; ++key) EXPECT_EQ(map.find(key), 7U);
  acre::barrier();
}

TEST(HashMap, CostsWhatItsDocumentationSays) {
  counts map(acre::world(), 1 << 16);
  const std::uint64_t key = 1000 + acre::rank();
  const bool near =
      acre::runtime::node_of(map.owner(key).world_rank()) == acre::runtime::node_of(acre::rank());
  const costs message{0, 0, 0, 1};
  const auto expected = [&](costs direct) { return near ? direct : message; };
  acre::barrier();
  // Answers to others are counted too.
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
    acre::barrier();
    if (turn != acre::rank()) continue;
    EXPECT_EQ(cost([&] { static_cast<void>(map.find(key)); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { map.insert(key, 1); }), expected({0, 1, 1, 0}));
    EXPECT_EQ(cost([&] { map.insert(key, 1); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.find(key)); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.contains(key)); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { map.insert_or_assign(key, 2); }), expected({1, 1, 1, 0}));
    EXPECT_EQ(cost([&] { map.fetch_add(key, 2); }), expected({1, 1, 1, 0}));
    const auto bump = [](std::uint32_t& value) noexcept { ++value; };
    EXPECT_EQ(cost([&] { map.update(key, bump, 1); }), expected({1, 1, 1, 0}));
    EXPECT_EQ(cost([&] { map.erase(key); }), expected({1, 0, 1, 0}));
    EXPECT_EQ(cost([&] { map.insert_or_assign(key, 1); }), expected({1, 1, 1, 0}));
    map.erase(key);
    EXPECT_EQ(cost([&] { map.fetch_add(key, 1); }), expected({1, 1, 1, 0}));
    map.erase(key);
    EXPECT_EQ(cost([&] { map.update(key, bump, 1); }), expected({1, 1, 1, 0}));
    map.erase(key);
  }
  acre::barrier();
}

TEST(HashMap, SpendsAReadForEachBucketOnTheWay) {
  crowding_hash::chosen = crowding::two_homes;
  crowded map(acre::world(), 1 << 12);
  acre::barrier();
  if (acre::rank() == 0) {
    const bool near =
        acre::runtime::node_of(map.owner(2).world_rank()) == acre::runtime::node_of(acre::rank());
    const auto expected = [&](costs direct) { return near ? direct : costs{0, 0, 0, 1}; };
    map.insert(0, 1);
    EXPECT_EQ(cost([&] { map.insert(2, 1); }), expected({3, 1, 2, 0}));
    EXPECT_EQ(cost([&] { map.insert(4, 1); }), expected({6, 1, 2, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.find(4)); }), expected({3, 0, 0, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.find(6)); }), expected({3, 0, 0, 0}));
    EXPECT_EQ(cost([&] { map.update(4, [](std::uint64_t& value) { ++value; }, 1); }),
              expected({3, 1, 1, 0}));
    EXPECT_EQ(cost([&] { map.erase(4); }), expected({3, 0, 2, 0}));
  }
  acre::barrier();
}

TEST(HashMap, SpendsOnCollectiveOperationsWhatItSays) {
  counts map(acre::world(), 1 << 12);
  for (std::uint64_t key = acre::rank(); key < 500; key += acre::size()) map.insert(key, 1);
  acre::barrier();
  const auto collective_cost = [](auto&& operation) {
    const auto before = acre::counters();
    operation();
    const auto spent = acre::counters() - before;
    return std::array{spent.barriers, spent.collectives, spent.rpcs, spent.network_operations};
  };
  EXPECT_EQ(collective_cost([&] { EXPECT_EQ(map.size(), 500U); }), (costs{1, 1, 0, 0}));
  EXPECT_EQ(collective_cost([&] { map.resize(1 << 13); }), (costs{2, 3, 0, 0}));
  EXPECT_EQ(collective_cost([&] { EXPECT_FALSE(map.grow_if_needed()); }), (costs{1, 1, 0, 0}));
  EXPECT_EQ(collective_cost([&] { map.clear(); }), (costs{2, 0, 0, 0}));
}

TEST(HashMap, AnswersWhileItsOwnerComputes) {
  counts map(acre::world(), 1000);
  acre::barrier();
  const acre::rank_t busy = acre::size() - 1;
  if (acre::rank() != busy) {
    for (std::uint64_t key = 0; key < 40; ++key) {
      map.fetch_add(key, 1);
    }
    map.fetch_add(1'000'000, 1);
  } else {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::uint64_t mine = 0;
    for (std::uint64_t key = 0; key < 40; ++key)
      mine += map.owner(key).world_rank() == busy ? 1 : 0;
    bool complete = acre::size() == 1 || mine == 0;
    while (!complete && std::chrono::steady_clock::now() < give_up) {
      std::uint64_t sum = 0;
      map.for_each_local([&](auto key, auto count) { sum += key < 40 ? count : 0; });
      complete = sum == mine * (acre::size() - 1);
    }
    EXPECT_TRUE(complete) << "an owner that computes does not answer";
  }
  acre::barrier();
  if (acre::size() > 1) {
    EXPECT_EQ(map.find(1'000'000), acre::size() - 1);
  }
  acre::barrier();
}

}  // namespace
