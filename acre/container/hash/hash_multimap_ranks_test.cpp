// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/hash/angle_test.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/finding.hpp>
#include <acre/container/hash/hash_multimap.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::testing::angle;
using acre::testing::common_seed;
using numbers = acre::hash_multimap<std::uint64_t, std::uint64_t>;
using texts = acre::hash_multimap<std::string, std::string>;

bool is_far() { return acre::runtime::node_count() != 1; }
std::size_t free_bytes() { return acre::runtime::segment_free().private_part; }

TEST(HashMultimapSmoke, FindsAllValuesOfAKey) {
  numbers map(acre::world(), 1000);
  for (std::uint64_t key = 0; key < 20; ++key) {
    for (std::uint64_t i = 0; i <= key % 4; ++i) map.insert(key, 100 * acre::rank() + i);
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 20; ++key) {
    const std::vector<std::uint64_t> values = map.find(key);
    EXPECT_EQ(map.count(key), acre::size() * (1 + key % 4));
    ASSERT_EQ(values.size(), acre::size() * (1 + key % 4));
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      std::vector<std::uint64_t> of_rank;
      std::ranges::copy_if(values, std::back_inserter(of_rank),
                           [&](std::uint64_t value) { return value / 100 == r; });
      ASSERT_EQ(of_rank.size(), 1 + key % 4);
      EXPECT_TRUE(std::ranges::is_sorted(of_rank)) << "values keep the order of their insertion";
    }
  }
  EXPECT_TRUE(map.find(20).empty());
  EXPECT_EQ(map.count(20), 0U);
  EXPECT_FALSE(map.contains(20));
  EXPECT_EQ(map.size(), 50U * acre::size());
  EXPECT_EQ(map.key_count(), 20U);
  acre::barrier();
}

TEST(HashMultimap, BehavesAsTheOneOfTheStandardLibrary) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  texts map(acre::world(), 400 * acre::size());
  std::multimap<std::string, std::string> model;
  const int steps = is_far() ? 120 : 3000;
  for (int step = 0; step < steps; ++step) {
    const std::string key = std::to_string(acre::rank()) + "/" + std::to_string(random() % 30);
    const std::string value(random() % 6 * 20, static_cast<char>('a' + random() % 3));
    const auto [first, last] = model.equal_range(key);
    switch (random() % 8) {
      case 0: {
        ASSERT_EQ(map.erase(key), static_cast<std::size_t>(std::distance(first, last)));
        model.erase(key);
        break;
      }
      case 1: {
        const auto erased = std::erase_if(
            model, [&](const auto& each) { return each.first == key && each.second == value; });
        ASSERT_EQ(map.erase(key, value), erased);
        break;
      }
      case 2: {
        std::vector<std::string> expected;
        for (auto at = first; at != last; ++at) expected.push_back(at->second);
        ASSERT_EQ(map.find(key), expected);
        break;
      }
      case 3:
        ASSERT_EQ(map.count(key), model.count(key));
        ASSERT_EQ(map.contains(key), model.contains(key));
        break;
      default:
        map.insert(key, value);
        model.emplace(key, value);
    }
  }
  acre::barrier();
  EXPECT_EQ(map.size(), acre::world().allreduce(std::uint64_t{model.size()}));
  acre::barrier();
}

TEST(HashMultimap, LosesNoValueOfRacingRanks) {
  numbers map(acre::world(), 16 * acre::size());
  constexpr std::uint64_t keys = 5;
  const std::uint64_t each = is_far() ? 50 : 1000;
  std::uint64_t erased = 0;
  for (std::uint64_t i = 0; i < each; ++i) {
    map.insert(i % keys, i * acre::size() + acre::rank());
    if (i % 10 == 9) erased += map.erase(i % keys);
  }
  acre::barrier();
  std::vector<std::uint64_t> left;
  for (std::uint64_t key = 0; key < keys; ++key) {
    for (const std::uint64_t value : map.find(key)) {
      EXPECT_EQ(value / acre::size() % keys, key);
      left.push_back(value);
    }
  }
  std::ranges::sort(left);
  EXPECT_TRUE(std::ranges::adjacent_find(left) == left.end()) << "no value is doubled";
  EXPECT_EQ(left.size() + acre::world().allreduce(erased), each * acre::size());
  acre::barrier();
}

TEST(HashMultimap, NeverShowsHalvesOfValues) {
  texts map(acre::world(), 64 * acre::size());
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const int steps = is_far() ? 80 : 3000;
  for (int i = 0; i < steps; ++i) {
    const std::string key = "key" + std::to_string(random() % 6);
    const std::string value(1 + random() % 300, static_cast<char>('a' + random() % 26));
    switch (random() % 6) {
      case 0:
        map.erase(key, value);
        break;
      case 1:
        map.erase(key);
        break;
      case 2:
      case 3:
        map.insert(key, key + value);
        break;
      default:
        for (const std::string& each : map.find(key)) {
          ASSERT_GT(each.size(), key.size());
          ASSERT_EQ(each.substr(0, key.size()), key);
          for (std::size_t at = key.size(); at < each.size(); ++at) {
            ASSERT_EQ(each[at], each.back());
          }
        }
    }
  }
  acre::barrier();
}

TEST(HashMultimap, ErasesAllEqualValuesAndWithTheLastOneTheKey) {
  numbers map(acre::world(), 100 * acre::size());
  const std::uint64_t key = acre::rank();
  for (const std::uint64_t value : {1U, 2U, 1U, 3U, 1U, 4U}) map.insert(key, value);
  EXPECT_EQ(map.erase(key, 5), 0U);
  EXPECT_EQ(map.erase(key, 1), 3U);
  EXPECT_EQ(map.find(key), (std::vector<std::uint64_t>{2, 3, 4}));
  map.insert(key, 5);
  EXPECT_EQ(map.find(key), (std::vector<std::uint64_t>{2, 3, 4, 5}));
  for (const std::uint64_t value : {2U, 4U, 5U, 3U}) EXPECT_EQ(map.erase(key, value), 1U);
  EXPECT_FALSE(map.contains(key));
  EXPECT_EQ(map.erase(key, 3), 0U);
  EXPECT_EQ(map.erase(key), 0U);
  EXPECT_EQ(map.key_count(), 0U);
  acre::barrier();
}

TEST(HashMultimap, VisitsAndChangesAllValuesOfAKey) {
  texts map(acre::world(), 100);
  const std::string key = std::to_string(acre::rank());
  map.insert(key, "a");
  map.insert(key, "b");
  const auto append = [](std::string& value, const std::string& more) { value += more; };
  EXPECT_EQ(map.visit(key, append, std::string("c")), 2U);
  EXPECT_EQ(map.find(key), (std::vector<std::string>{"ac", "bc"}));
  EXPECT_EQ(map.visit("absent", append, std::string("c")), 0U);
  EXPECT_EQ(map.visit(key, [](std::string& value) { value.assign(1000, 'x'); }), 2U);
  EXPECT_EQ(map.find(key), std::vector<std::string>(2, std::string(1000, 'x')));
  EXPECT_EQ(map.visit(
                key,
                [](std::string& value, std::string_view view, int times) {
                  value = std::string(view) + std::to_string(times);
                },
                "text", 3),
            2U);
  EXPECT_EQ(map.find(key), std::vector<std::string>(2, "text3"));
  acre::barrier();
  if (acre::rank() == 0) map.insert("sum", "");
  acre::barrier();
  map.visit("sum", [](std::string& value) { value += '1'; });
  acre::barrier();
  EXPECT_EQ(map.find("sum").at(0), std::string(acre::size(), '1'));
  acre::barrier();
}

struct angry {
  int number;
  friend bool operator==(const angry& a, const angry& b) {
    if (a.number == 13) throw std::runtime_error("13");
    return a.number == b.number;
  }
};

TEST(HashMultimap, ChangesNothingIfUserCodeThrows) {
  acre::hash_multimap<int, angry> map(acre::world(), 100);
  const int key = static_cast<int>(acre::rank());
  for (const int number : {1, 2, 13, 2}) map.insert(key, {number});
  EXPECT_ANY_THROW(map.erase(key, {2}));
  EXPECT_ANY_THROW(map.visit(key, [](angry& value) {
    value.number += 100;
    if (value.number == 113) throw std::runtime_error("113");
  }));
  std::vector<int> left;
  for (const angry& each : map.find(key)) left.push_back(each.number);
  EXPECT_EQ(left, (std::vector<int>{1, 2, 13, 2}));
  EXPECT_EQ(map.erase(key), 4U) << "the key is not locked";
  acre::barrier();
}

TEST(HashMultimap, HoldsValuesOfAnyType) {
  acre::hash_multimap<int, angle> angles(acre::world(), 100);
  acre::hash_multimap<std::string, std::vector<std::string>> lists(acre::world(), 100);
  acre::hash_multimap<int, std::tuple<int, double>> records(acre::world(), 100);
  acre::hash_multimap<int, std::string> large(acre::world(), 100);
  acre::hash_multimap<int, bool> bits(acre::world(), 100);
  const int key = static_cast<int>(acre::rank());
  for (int i = 0; i < 5; ++i) {
    angles.insert(key, angle(i));
    lists.insert("name" + std::to_string(key),
                 std::vector<std::string>(static_cast<std::size_t>(i), "text"));
    records.insert(key, {i, 0.5});
    large.insert(key, std::string(30'000, static_cast<char>('a' + i)));
    bits.insert(key, i % 2 == 0);
  }
  acre::barrier();
  const int next = static_cast<int>((acre::rank() + 1) % acre::size());
  EXPECT_EQ(angles.find(next).at(3), angle(3));
  EXPECT_EQ(lists.find("name" + std::to_string(next)).at(4), std::vector<std::string>(4, "text"));
  EXPECT_EQ(records.find(next).at(2), std::tuple(2, 0.5));
  ASSERT_EQ(large.count(next), 5U);
  EXPECT_EQ(large.find(next).at(1), std::string(30'000, 'b'));
  EXPECT_EQ(bits.find(next), (std::vector<bool>{true, false, true, false, true}));
  acre::barrier();
  EXPECT_EQ(angles.erase(next, angle(2)), 1U);
  acre::barrier();
  EXPECT_EQ(angles.find(key), (std::vector<angle>{angle(0), angle(1), angle(3), angle(4)}));
  acre::barrier();
}

TEST(HashMultimap, ShowsAllValuesToEveryRank) {
  numbers map(acre::world(), 500);
  for (std::uint64_t key = acre::rank(); key < 100; key += acre::size()) {
    for (std::uint64_t i = 0; i < 1 + key % 7; ++i) map.insert(key, 1000 * key + i);
  }
  acre::barrier();
  std::map<std::uint64_t, std::vector<std::uint64_t>> all;
  for (const auto& [key, value] : map) all[key].push_back(value);
  EXPECT_EQ(all.size(), 100U);
  for (const auto& [key, values] : all) {
    ASSERT_EQ(values.size(), 1 + key % 7);
    for (std::uint64_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], 1000 * key + i);
  }
  std::uint64_t mine = 0;
  map.for_each_local([&](std::uint64_t key, std::uint64_t value) {
    EXPECT_TRUE(map.owner(key).is_this_rank());
    EXPECT_EQ(value / 1000, key);
    ++mine;
  });
  EXPECT_EQ(mine, map.local_size());
  EXPECT_EQ(std::ranges::distance(map.local()), static_cast<std::ptrdiff_t>(mine));
  EXPECT_EQ(acre::world().allreduce(mine), map.size());
  acre::barrier();
}

TEST(HashMultimap, GrowsAndGivesBackAllMemory) {
  acre::barrier();
  const std::size_t before = free_bytes();
  acre::barrier();
  {
    texts map(acre::world(), 8, acre::growth::automatic);
    const auto fill = [&] {
      for (std::uint32_t i = 0; i < 60; ++i) {
        map.insert(std::to_string(i), "value " + std::to_string(acre::rank()));
      }
    };
    fill();
    EXPECT_EQ(map.size(), 60U * acre::size());
    EXPECT_GE(map.capacity(), 60U) << "merged into one block";
    map.resize(1000);
    for (std::uint32_t i = 0; i < 60; ++i) EXPECT_EQ(map.count(std::to_string(i)), acre::size());
    acre::barrier();
    map.clear();
    EXPECT_EQ(map.size(), 0U);
    fill();
    acre::barrier();
    for (std::uint32_t i = 0; i < 30; ++i) map.erase(std::to_string(i));
    EXPECT_EQ(map.key_count(), 30U);
  }
  acre::barrier();
  EXPECT_EQ(free_bytes(), before);
  acre::barrier();
}

TEST(HashMultimap, ReportsThatItIsFull) {
  numbers map(acre::world(), acre::size());
  std::uint64_t key = 0;
  try {
    for (; key < 100; ++key) map.insert(key, 1);
    ADD_FAILURE() << "100 keys in a bucket per rank";
  } catch (const acre::error& full) {
    EXPECT_EQ(full.call(), "hash_multimap::insert");
    EXPECT_NE(std::string(full.what()).find("full"), std::string::npos) << full.what();
  }
  acre::barrier();
  const std::uint64_t values = map.local_size();
  for (const auto& [present, value] : map.local()) map.insert(present, 2);
  EXPECT_EQ(map.local_size(), 2 * values) << "present keys take values";
  acre::barrier();
}

TEST(HashMultimap, InsertsAndFindsInBulk) {
  texts map(acre::world(), 200, acre::growth::automatic);
  std::vector<std::string> keys;
  std::vector<std::string> values;
  for (int i = 0; i < 90; ++i) {
    keys.push_back(std::to_string(i % 30));
    values.push_back(std::to_string(i));
  }
  if (acre::rank() == 0) map.insert_many(keys, values);
  acre::barrier();
  std::vector<std::string> asked;
  for (int i = 0; i < 40; ++i) asked.push_back(std::to_string(i));
  const auto found = map.find_many(asked);
  for (int i = 0; i < 40; ++i) {
    const auto expected = i < 30
                              ? std::vector<std::string>{std::to_string(i), std::to_string(i + 30),
                                                         std::to_string(i + 60)}
                              : std::vector<std::string>{};
    EXPECT_EQ(found[static_cast<std::size_t>(i)], expected);
  }
  acre::barrier();
}

TEST(HashMultimap, TakesBufferedInsertsAndFinds) {
  texts map(acre::world(), 16);
  numbers counts(acre::world(), 400);
  {
    acre::buffered writer(map, acre::inserting);
    acre::buffered counter(counts, acre::inserting);
    for (std::uint64_t i = 0; i < 400; ++i) {
      writer.insert(std::to_string(i % 100), std::to_string(acre::rank()));
      counter.insert(i % 100, i);
    }
    writer.flush_and_grow();
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 400U * acre::size());
  EXPECT_EQ(map.key_count(), 100U);
  EXPECT_EQ(counts.size(), 400U * acre::size());
  std::uint64_t answers = 0;
  {
    acre::buffered reader(
        map, acre::finding([&](const std::string& key, const std::vector<std::string>& values) {
          ++answers;
          EXPECT_EQ(values.size(), key == "absent" ? 0 : 4 * acre::size()) << key;
        }));
    for (std::uint64_t i = 0; i < 100; ++i) reader.find(std::to_string(i));
    reader.find("absent");
  }
  EXPECT_EQ(answers, 101U);
  acre::barrier();
}

TEST(HashMultimap, AnswersLater) {
  texts map(acre::world(), 100);
  const std::string mine = std::to_string(acre::rank());
  auto first = map.insert_async(mine, "first");
  first.get();
  map.insert_async(mine, std::string(40'000, 'x')).get();
  acre::barrier();
  const std::string next = std::to_string((acre::rank() + 1) % acre::size());
  const auto found = map.find_async(next).get();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1], std::string(40'000, 'x'));
  EXPECT_TRUE(map.find_async("absent").get().empty());
  acre::barrier();
  EXPECT_EQ(map.erase_async(next).get(), 2U);
  EXPECT_EQ(map.erase_async("absent").get(), 0U);
  acre::barrier();
}

TEST(HashMultimap, KeepsGuarantees) {
  using namespace acre::guarantees;
  numbers map(acre::world(), 1000);
  map.insert(acre::rank(), 1, only<insert>);
  acre::barrier();
  for (acre::rank_t r = 0; r < acre::size(); ++r) {
    EXPECT_EQ(map.find(r, only<find>), std::vector<std::uint64_t>{1});
    EXPECT_EQ(map.count(r, only<find>), 1U);
    EXPECT_TRUE(map.contains(r, only<find>));
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 200; ++key) {
    if (!map.owner(key).is_this_rank()) continue;
    map.insert(key, 2, local);
    map.insert(key, 3, local);
    EXPECT_EQ(map.erase(key, 2, local), 1U);
    EXPECT_EQ(map.visit(key, local, [](std::uint64_t& value) { value += 10; }),
              key < acre::size() ? 2U : 1U);
    EXPECT_EQ(map.find(key, local).back(), 13U);
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 200U + acre::size());
  acre::barrier();
}

TEST(HashMultimap, CostsWhatItStates) {
  numbers map(acre::world(), 1 << 14);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; keys.size() < 20; ++key) {
    if (map.owner(key).number() == acre::size() - 1) keys.push_back(key);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    const auto expect_cost = [&](std::uint64_t reads, std::uint64_t atomics, std::uint64_t writes,
                                 auto&& call) {
      const auto before = acre::counters();
      for (const std::uint64_t key : keys) call(key);
      const auto spent = acre::counters() - before;
      if (acre::runtime::node_of(acre::size() - 1) == acre::runtime::node_of(0)) {
        EXPECT_NEAR(static_cast<double>(spent.reads), static_cast<double>(20 * reads), 3);
        EXPECT_NEAR(static_cast<double>(spent.atomics), static_cast<double>(20 * atomics), 3);
        EXPECT_EQ(spent.writes, 20 * writes);
        EXPECT_EQ(spent.messages, 0U);
      } else {
        EXPECT_EQ(spent.messages, 20U) << "the replies are messages of the owner";
      }
    };
    expect_cost(1, 1, 1, [&](std::uint64_t key) { map.insert(key, 1); });
    expect_cost(1, 1, 1, [&](std::uint64_t key) { map.insert(key, 2); });
    expect_cost(1, 0, 0, [&](std::uint64_t key) { EXPECT_EQ(map.find(key).size(), 2U); });
    expect_cost(1, 0, 0, [&](std::uint64_t key) { EXPECT_EQ(map.count(key), 2U); });
    expect_cost(1, 1, 1, [&](std::uint64_t key) {
      EXPECT_EQ(map.visit(key, [](std::uint64_t& value) { value += 5; }), 2U);
    });
    expect_cost(1, 1, 1, [&](std::uint64_t key) { EXPECT_EQ(map.erase(key, 6), 1U); });
    expect_cost(1, 1, 1, [&](std::uint64_t key) { EXPECT_EQ(map.erase(key), 1U); });
  }
  acre::barrier();
}

}  // namespace
