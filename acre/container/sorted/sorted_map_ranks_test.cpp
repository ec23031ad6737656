// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/cost_test.hpp>
#include <acre/container/hash/wide_value_test.hpp>
#include <acre/container/sorted/sorted_map.hpp>
#include <acre/container/sorted/sorted_model_test.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/progress.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::testing::common_seed;
using acre::testing::cost;
using acre::testing::costs;
using acre::testing::entry_maker;
using acre::testing::expect_model;
using acre::testing::follow_sorted_model;
using acre::testing::merged_model;
using acre::testing::steps;
using acre::testing::wide_value;
using numbers = acre::sorted_map<std::uint64_t, std::uint64_t>;

std::vector<std::uint64_t> sample_of(std::uint64_t keys) {
  return {keys * acre::rank() / acre::size(), keys * (acre::rank() + 1) / acre::size()};
}

TEST(SortedMapSmoke, FindsWhatOthersInserted) {
  numbers map(acre::world(), sample_of(300));
  for (std::uint64_t key = acre::rank(); key < 300; key += acre::size()) {
    EXPECT_TRUE(map.insert(key, key + 1));
    EXPECT_FALSE(map.insert(key, 0));
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 300U);
  EXPECT_GT(map.local_size(), 0U);
  for (std::uint64_t key = 0; key < 300; key += 7) EXPECT_EQ(map.find(key), key + 1);
  for (std::uint64_t key = 300; key < 320; ++key) EXPECT_FALSE(map.contains(key));
  std::uint64_t next = 0;
  for (const auto& [key, value] : map) {
    EXPECT_EQ(key, next);
    EXPECT_EQ(value, ++next);
  }
  EXPECT_EQ(next, 300U);
  acre::barrier();
}

struct wide {
  std::array<std::uint64_t, 32> words;
  friend bool operator==(const wide&, const wide&) = default;
};
struct wide_maker {
  static std::uint64_t key(std::uint64_t number) { return number; }
  static wide value(std::uint64_t number) {
    wide made;
    made.words.fill(number);
    return made;
  }
};
struct text_maker {
  static std::string key(std::uint64_t number) {
    std::string digits = std::to_string(number);
    return "a key longer than short strings " + std::string(8 - digits.size(), '0') + digits;
  }
  static std::string value(std::uint64_t number) { return std::string(number % 50, 'v'); }
};

template <class K, class V, class Make>
void follow_models(std::uint64_t keys, std::uint64_t operations, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  std::mt19937_64 common(seed);
  acre::sorted_map<K, V> map(acre::world());
  std::map<K, V> model;
  for (int round = 0; round < 3; ++round) {
    follow_sorted_model<Make>(map, model, keys, operations, random);
    acre::barrier();
    expect_model(map, merged_model(model), random);
    map.rebalance();
    expect_model(map, merged_model(model), random);
    const std::uint64_t least = acre::world().allreduce(map.local_size(), acre::op::min);
    const std::uint64_t most = acre::world().allreduce(map.local_size(), acre::op::max);
    EXPECT_LE(most - least, 1U);
  }
  for (const auto& [key, value] : model) ASSERT_TRUE(map.erase(key));
  acre::barrier();
  EXPECT_EQ(map.begin(), map.end());
  map.clear();
  EXPECT_EQ(map.size(), 0U);
}

TEST(SortedMap, DoesWhatMapsDoForAllRanksAtOnce) {
  const std::uint64_t seed = common_seed();
  const auto operations = static_cast<std::uint64_t>(steps(1500));
  follow_models<std::uint64_t, std::uint64_t, entry_maker<std::uint64_t, std::uint64_t>>(
      2000, operations, seed);
  follow_models<std::uint64_t, wide, wide_maker>(500, operations / 2, seed + 1);
  follow_models<std::string, std::string, text_maker>(300, operations / 4, seed + 2);
}

TEST(SortedMapAtLength, DoesWhatMapsDoWithManyLevels) {
  const std::uint64_t seed = common_seed();
  const auto operations = static_cast<std::uint64_t>(steps(60'000));
  follow_models<std::uint64_t, wide, wide_maker>(20'000, operations / 2, seed);
  follow_models<std::uint16_t, std::uint8_t, entry_maker<std::uint16_t, std::uint8_t>>(
      65'536 / acre::size(), operations, seed + 1);
}

TEST(SortedMap, LetsOneOfAllRanksInsertAKey) {
  const auto keys = static_cast<std::uint64_t>(steps(1000));
  numbers map(acre::world(), sample_of(keys));
  std::uint64_t won = 0;
  for (std::uint64_t i = 0; i < keys; ++i) {
    if (map.insert(acre::rank() % 2 == 0 ? i : keys - 1 - i, acre::rank())) ++won;
  }
  EXPECT_EQ(acre::world().allreduce(won), keys);
  EXPECT_EQ(map.size(), keys);
}

TEST(SortedMap, NeverShowsHalvesOfWideValues) {
  acre::sorted_map<std::uint32_t, wide_value<40>> map(acre::world());
  std::mt19937_64 random(acre::rank());
  for (int step = 0; step < steps(2000); ++step) {
    const auto key = static_cast<std::uint32_t>(random() % 32);
    switch (random() % 4) {
      case 0:
        map.insert_or_assign(key, wide_value<40>::of(key + 32 * (random() % 1000)));
        break;
      case 1:
        map.erase(key);
        break;
      case 2:
        map.for_each_in(key, key + 8, [&](std::uint32_t each, const wide_value<40>& value) {
          ASSERT_TRUE(value.is_whole());
          ASSERT_EQ(value.words[0] % 32, each);
        });
        break;
      default:
        if (const auto found = map.find(key)) {
          ASSERT_TRUE(found->is_whole());
          ASSERT_EQ(found->words[0] % 32, key);
        }
    }
  }
  acre::barrier();
}

TEST(SortedMap, FindsOnlyValuesOfTheKeyBesideErasures) {
  constexpr std::uint64_t keys = 24;
  numbers map(acre::world(), sample_of(keys));
  std::mt19937_64 random(acre::rank());
  for (int step = 0; step < steps(20'000); ++step) {
    const std::uint64_t key = random() % keys;
    if (step % 2 == 0) {
      const auto found = map.find(key);
      ASSERT_EQ(found.value_or(1000 + key), 1000 + key);
    } else if (step % 4 == 1) {
      map.insert(key, 1000 + key);
    } else {
      map.erase(key);
    }
  }
  acre::barrier();
}

TEST(SortedMap, VisitsEachLastingKeyOnceBesideChanges) {
  const std::uint64_t keys = 3 * static_cast<std::uint64_t>(steps(1000));
  numbers map(acre::world(), sample_of(keys));
  for (std::uint64_t key = 3 * acre::rank(); key < keys; key += 3 * acre::size()) {
    map.insert(key, key);
  }
  acre::barrier();
  std::mt19937_64 random(acre::rank());
  for (int round = 0; round < 4; ++round) {
    if (acre::rank() % 2 == 0) {
      for (int i = 0; i < steps(800); ++i) {
        const std::uint64_t key = random() % (keys / 3) * 3 + 1 + random() % 2;
        if (random() % 2 == 0) {
          map.insert(key, key);
        } else {
          map.erase(key);
        }
      }
    }
    std::uint64_t next = 0;
    std::optional<std::uint64_t> before;
    for (const auto& [key, value] : map) {
      ASSERT_TRUE(!before || *before < key);
      before = key;
      ASSERT_EQ(value, key);
      if (key % 3 != 0) continue;
      ASSERT_EQ(key, next);
      next += 3;
    }
    ASSERT_EQ(next, keys);
  }
  acre::barrier();
}

struct two_words {
  std::uint64_t high, low;
  friend bool operator==(const two_words&, const two_words&) = default;
};
struct by_both_descending {
  bool operator()(const two_words& a, const two_words& b) const {
    if (a.high == ~std::uint64_t{0}) throw std::runtime_error("a refused key");
    return std::tie(a.high, a.low) > std::tie(b.high, b.low);
  }
};

TEST(SortedMap, TakesClassesAsKeysWithAnOrderOfTheirOwn) {
  acre::sorted_map<two_words, std::array<char, 3>, by_both_descending> map(acre::world());
  for (std::uint64_t i = acre::rank(); i < 500; i += acre::size()) {
    EXPECT_TRUE(map.insert({i / 10, i % 10}, {static_cast<char>(i % 100), 'x', 'y'}));
  }
  const two_words refused{~std::uint64_t{0}, 0};
  EXPECT_ANY_THROW(map.insert(refused, {}));
  acre::barrier();
  map.rebalance();
  std::uint64_t next = 500;
  for (const auto& [key, value] : map) {
    --next;
    EXPECT_EQ(key, (two_words{next / 10, next % 10}));
    EXPECT_EQ(value[0], static_cast<char>(next % 100));
  }
  EXPECT_EQ(next, 0U);
  EXPECT_EQ(map.lower_bound({7, 100})->first, (two_words{7, 9}));
  EXPECT_FALSE(map.lower_bound({0, 0}) == std::nullopt);
  EXPECT_EQ(map.upper_bound({0, 0}), std::nullopt);
  acre::barrier();
}

TEST(SortedMap, CarriesEntriesOfAnySizeToOtherNodes) {
  acre::sorted_map<std::uint64_t, std::string> map(acre::world(), sample_of(acre::size()));
  const std::string large(100'000 + acre::rank(), 'x');
  EXPECT_TRUE(map.insert((acre::rank() + 1) % acre::size(), large));
  acre::barrier();
  for (std::uint64_t i = 0; i < acre::size(); ++i) {
    EXPECT_EQ(map.find((i + 1) % acre::size())->size(), 100'000 + i);
  }
  std::uint64_t all = 0;
  for (const auto& [key, value] : map) all += value.size() - 100'000;
  EXPECT_EQ(all, acre::size() * (acre::size() - 1) / 2);
  acre::barrier();
}

TEST(SortedMap, ReusesTheMemoryOfErasedKeys) {
  numbers map(acre::world(), sample_of(1'000'000));
  const std::uint64_t first = 1'000'000 * acre::rank() / acre::size();
  const auto slide = [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) {
      ASSERT_TRUE(map.insert(first + i, i));
      if (i >= 200) {
        ASSERT_TRUE(map.erase(first + i - 200));
      }
    }
  };
  slide(0, 1000);
  acre::barrier();
  const std::size_t before = acre::runtime::segment_free().private_part;
  acre::barrier();
  slide(1000, 6000);
  acre::barrier();
  EXPECT_GE(acre::runtime::segment_free().private_part + 32'768, before);
  EXPECT_EQ(map.size(), 200 * acre::size());
}

TEST(SortedMap, GivesAllMemoryBack) {
  acre::barrier();
  const std::size_t before = acre::runtime::segment_free().private_part;
  {
    acre::sorted_map<std::string, std::string> map(acre::world());
    for (std::uint64_t i = 0; i < 100; ++i) {
      map.insert_or_assign(text_maker::key(i * acre::size() + acre::rank()), std::string(i, 'x'));
    }
    acre::barrier();
    map.rebalance();
    for (std::uint64_t i = 0; i < 100; i += 2) {
      map.erase(text_maker::key(i * acre::size() + acre::rank()));
    }
  }
  acre::barrier();
  // Reuses blocks that neighbours freed.
  acre::runtime::free_private(acre::runtime::allocate_private(64));
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
  acre::barrier();
}

TEST(SortedMap, PerformsManyAndAsynchronously) {
  numbers map(acre::world(), sample_of(1000));
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = acre::rank(); key < 1000; key += acre::size()) keys.push_back(key);
  EXPECT_EQ(map.insert_many(keys, keys), keys.size());
  EXPECT_EQ(map.insert_many(keys, keys), 0U);
  EXPECT_THROW(map.insert_many(keys, {}), acre::error);
  std::vector<acre::future<bool>> done;
  for (std::uint64_t key = 1000 + acre::rank(); key < 1100; key += acre::size()) {
    done.push_back(map.insert_async(key, key));
    done.push_back(map.insert_or_assign_async(key, key + 1));
  }
  map.sync();
  for (std::size_t i = 0; i < done.size(); ++i) EXPECT_EQ(done[i].get(), i % 2 == 0);
  keys.push_back(1200);
  const auto found = map.find_many(keys);
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) EXPECT_EQ(found[i], keys[i]);
  EXPECT_EQ(found.back(), std::nullopt);
  EXPECT_EQ(map.find_async(1050).get(), 1051U);
  EXPECT_EQ(map.find_async(1100).get(), std::nullopt);
  acre::barrier();
  EXPECT_EQ(map.erase_async(acre::rank()).get(), true);
  EXPECT_EQ(map.size(), 1100 - acre::size());
}

TEST(SortedMap, CostsWhatItsDocumentationSays) {
  numbers map(acre::world(), sample_of(1000));
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < 1000; key += 2) map.insert(key, key);
  }
  acre::barrier();
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
    acre::barrier();
    if (turn != acre::rank()) continue;
    const std::uint64_t key = 501;
    const bool near =
        acre::runtime::node_of(map.owner(key).world_rank()) == acre::runtime::node_of(acre::rank());
    const auto expected = [&](costs direct) { return near ? direct : costs{0, 0, 0, 1}; };
    EXPECT_EQ(cost([&] { static_cast<void>(map.find(500)); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.contains(key)); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { map.insert(key, 1); }), expected({0, 1, 1, 0}));
    EXPECT_EQ(cost([&] { map.insert(key, 1); }), expected({0, 0, 1, 0}));
    EXPECT_EQ(cost([&] { map.insert_or_assign(key, 2); }), expected({0, 1, 1, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.lower_bound(key)); }), expected({1, 0, 0, 0}));
    EXPECT_EQ(cost([&] { map.erase(key); }), expected({0, 1, 1, 0}));
    EXPECT_EQ(cost([&] { map.erase(key); }), expected({0, 0, 1, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(map.upper_bound(500)); }), expected({1, 0, 0, 0}));
  }
  acre::barrier();
  if (acre::rank() == 0) {
    const std::uint64_t key = 1000 - 2;
    const std::uint64_t first = acre::size() == 1 ? 800 : 2 * (500 - 250 / acre::size());
    const bool near =
        acre::runtime::node_of(map.owner(key).world_rank()) == acre::runtime::node_of(acre::rank());
    std::uint64_t seen = 0;
    const auto spent =
        cost([&] { map.for_each_in(first, 999, [&](std::uint64_t, std::uint64_t) { ++seen; }); });
    EXPECT_EQ(map.owner(first), map.owner(key));
    EXPECT_EQ(seen, (1000 - first) / 2);
    EXPECT_EQ(spent, near ? (costs{seen, 0, 0, 0}) : (costs{0, 0, 0, 1}));
  }
  acre::barrier();
}

TEST(SortedMap, SpendsOnCollectiveOperationsWhatItSays) {
  numbers map(acre::world());
  for (std::uint64_t key = acre::rank(); key < 60; key += acre::size()) map.insert(key, 1);
  acre::barrier();
  const auto spent_on = [](auto&& operation) {
    const auto before = acre::counters();
    operation();
    const auto spent = acre::counters() - before;
    return std::array{spent.barriers, spent.collectives};
  };
  using collectives = std::array<std::uint64_t, 2>;
  EXPECT_EQ(spent_on([&] { EXPECT_EQ(map.size(), 60U); }), (collectives{1, 1}));
  EXPECT_EQ(spent_on([&] { map.clear(); }), (collectives{2, 0}));
}

TEST(SortedMap, TakesGuarantees) {
  using namespace acre::guarantees;
  numbers map(acre::world(), sample_of(1000));
  for (std::uint64_t key = 0; key < 1000; ++key) {
    if (map.owner(key).is_this_rank()) map.insert(key, key, local);
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 1000; key += 7) {
    EXPECT_EQ(map.find(key, only<find>), key);
    EXPECT_EQ(map.lower_bound(key, only<find>)->first, key);
  }
  std::uint64_t seen = 0;
  map.for_each_in(100, 200, [&](std::uint64_t, std::uint64_t) { ++seen; }, only<find>);
  EXPECT_EQ(seen, 100U);
  acre::barrier();
  for (std::uint64_t key = 0; key < 1000; ++key) {
    if (!map.owner(key).is_this_rank()) continue;
    const auto spent = cost([&] {
      static_cast<void>(map.find(key, local));
      map.insert_or_assign(key, 0, local);
      map.erase(key, local);
    });
    EXPECT_EQ(spent, (std::array<std::uint64_t, 4>{}));
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 0U);
  if (acre::size() > 1) {
    const std::uint64_t other = map.owner(0).is_this_rank() ? 999 : 0;
    EXPECT_THROW(map.insert(other, 1, local), acre::error);
  }
  acre::barrier();
}

struct disturbed {
  static inline std::atomic<bool> throws = false;
  bool operator()(std::uint64_t a, std::uint64_t b) const {
    if (throws) throw std::runtime_error("a disturbed order");
    return a < b;
  }
};

TEST(SortedMap, ChangesNothingWhenARebalanceFails) {
  acre::sorted_map<std::uint64_t, std::uint64_t, disturbed> map(acre::world());
  for (std::uint64_t key = acre::rank(); key < 80; key += acre::size()) map.insert(key, key);
  acre::barrier();
  disturbed::throws = acre::rank() == acre::size() - 1;
  if (acre::size() > 1) {
    EXPECT_ANY_THROW(map.rebalance());
  }
  disturbed::throws = false;
  acre::barrier();
  EXPECT_EQ(map.size(), 80U);
  for (std::uint64_t key = 0; key < 80; ++key) EXPECT_EQ(map.find(key), key);
  map.rebalance();
  EXPECT_EQ(map.size(), 80U);
  for (std::uint64_t key = 0; key < 80; ++key) EXPECT_EQ(map.find(key), key);
  acre::barrier();
}

TEST(SortedMap, AnswersWhileItsOwnerComputes) {
  numbers map(acre::world(), sample_of(100));
  acre::barrier();
  const acre::rank_t busy = acre::size() - 1;
  const std::uint64_t others = acre::size() - 1;
  if (acre::rank() != busy) {
    for (std::uint64_t key = 0; key < 100; ++key) map.insert(key * others + acre::rank(), key);
  } else {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const std::uint64_t mine = [&] {
      std::uint64_t sum = 0;
      for (std::uint64_t key = 0; key < 100 * others; ++key) {
        sum += map.owner(key).is_this_rank() ? 1 : 0;
      }
      return sum;
    }();
    while (map.local_size() != mine && std::chrono::steady_clock::now() < give_up) {
    }
    EXPECT_EQ(map.local_size(), mine) << "an owner that computes does not answer";
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 100 * others);
}

TEST(SortedMap, RefusesNullHandles) {
  numbers empty;
  EXPECT_FALSE(empty);
  EXPECT_THROW(empty.insert(1, 1), acre::error);
  EXPECT_THROW(static_cast<void>(empty.size()), acre::error);
}

}  // namespace
