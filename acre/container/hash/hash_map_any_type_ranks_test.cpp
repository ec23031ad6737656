// SPDX-License-Identifier: BSD-3-Clause
// Serialised keys and values.
#include <acre/acre.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using texts = acre::hash_map<std::string, std::vector<std::uint32_t>>;

std::string text_of(std::uint64_t number) {
  return std::to_string(number) + std::string(number % 7 == 0 ? 500 : number % 5, 'x');
}

std::size_t free_bytes() { return acre::runtime::segment_free().private_part; }

static_assert(acre::storable<std::string> && acre::storable<std::vector<std::string>>);
static_assert(acre::storable<std::map<std::string, std::optional<std::pair<int, double>>>>);
static_assert(!acre::storable<std::string_view> && !acre::storable<std::span<const int>>);
static_assert(!acre::storable<const char*> && !acre::storable<std::vector<std::string_view>>);
static_assert(!acre::storable<std::optional<std::span<int>>>);
static_assert(!acre::storable<std::pair<int, std::string_view>>);
static_assert(!acre::transferable<std::string_view> && !acre::transferable<std::span<int>>);

TEST(HashMapAnyTypeSmoke, FindsTextsThatOthersInserted) {
  texts map(acre::world(), 1000);
  for (std::uint32_t i = acre::rank(); i < 200; i += acre::size()) {
    EXPECT_TRUE(map.insert(text_of(i), {i, i + 1}));
    EXPECT_FALSE(map.insert(text_of(i), {}));
  }
  acre::barrier();
  for (std::uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(map.find(text_of(i)), (std::vector<std::uint32_t>{i, i + 1}));
  }
  EXPECT_FALSE(map.contains("200"));
  EXPECT_EQ(map.size(), 200U);
}

TEST(HashMapAnyType, FindsByWhatIsAsGoodAsTheKey) {
  texts map(acre::world(), 100);
  if (acre::rank() == 0) map.insert("name", {7});
  acre::barrier();
  const std::string_view view = "name";
  EXPECT_TRUE(map.contains(view));
  EXPECT_EQ(map.find("name"), std::vector<std::uint32_t>{7});
  EXPECT_EQ(map.owner(view), map.owner(std::string("name")));
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(map.erase(view));
  }
  acre::barrier();
  EXPECT_FALSE(map.contains("name"));
  acre::barrier();
}

TEST(HashMapAnyType, KeepsValuesOfFixedSizeInPlace) {
  using record = std::pair<int, std::optional<double>>;
  static_assert(acre::storage_of<record> == acre::storage::fixed ||
                acre::storage_of<record> == acre::storage::separate);
  using pair_key = std::pair<std::uint32_t, std::uint32_t>;
  static_assert(acre::storage_of<pair_key> == acre::storage::fixed);
  acre::hash_map<pair_key, std::tuple<int, double>> map(acre::world(), 500);
  const std::size_t before = free_bytes();
  for (std::uint32_t i = 0; i < 50; ++i) map.insert({acre::rank(), i}, {static_cast<int>(i), 0.5});
  EXPECT_EQ(free_bytes(), before);
  acre::barrier();
  for (acre::rank_t other = 0; other < acre::size(); ++other) {
    for (std::uint32_t i = 0; i < 50; ++i) {
      EXPECT_EQ(map.find({other, i}), std::tuple(static_cast<int>(i), 0.5));
    }
  }
  acre::barrier();
}

TEST(HashMapAnyType, UpdatesAndReplacesInOneStep) {
  texts map(acre::world(), 100);
  const std::uint32_t rounds = acre::runtime::node_count() == 1 ? 200 : 20;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const std::uint32_t mine = acre::rank();
    map.update("all", [mine](std::vector<std::uint32_t>& list) { list.push_back(mine); }, {mine});
    map.insert_or_assign("last", std::vector<std::uint32_t>(i % 40, i));
  }
  acre::barrier();
  const auto all = map.find("all");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), rounds * acre::size());
  std::vector<std::uint32_t> seen(acre::size());
  for (const std::uint32_t each : *all) ++seen.at(each);
  for (const std::uint32_t each : seen) EXPECT_EQ(each, rounds);
  EXPECT_EQ(map.find("last"), std::vector<std::uint32_t>((rounds - 1) % 40, rounds - 1));
  acre::barrier();
}

TEST(HashMapAnyType, NeverShowsHalvesOfTexts) {
  acre::hash_map<std::string, std::string> map(acre::world(), 200);
  const auto seed = acre::world().broadcast(std::uint64_t{std::random_device{}()}, 0);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const int steps = acre::runtime::node_count() == 1 ? 3000 : 150;
  for (int i = 0; i < steps; ++i) {
    const std::string key = text_of(random() % 20);
    const std::string value(random() % 700, static_cast<char>('a' + random() % 26));
    switch (random() % 5) {
      case 0:
        map.insert(key, key + value);
        break;
      case 1:
        map.insert_or_assign(key, key + value);
        break;
      case 2:
        map.erase(key);
        break;
      default:
        if (const auto found = map.find(key)) {
          ASSERT_EQ(found->substr(0, key.size()), key);
          for (const char letter : found->substr(key.size())) ASSERT_EQ(letter, found->back());
        }
    }
  }
  acre::barrier();
}

TEST(HashMapAnyType, GivesBackAllMemory) {
  acre::barrier();
  const std::size_t before = free_bytes();
  {
    texts map(acre::world(), 400);
    const std::size_t with_map = free_bytes();
    acre::barrier();
    for (std::uint32_t i = 0; i < 60; ++i) map.insert(text_of(i), {i});
    for (std::uint32_t i = 0; i < 60; ++i) map.insert_or_assign(text_of(i), {i, i, i});
    acre::barrier();
    for (std::uint32_t i = acre::rank(); i < 60; i += acre::size())
      EXPECT_TRUE(map.erase(text_of(i)));
    acre::barrier();
    EXPECT_EQ(free_bytes(), with_map);
    acre::barrier();
    for (std::uint32_t i = 0; i < 60; ++i) map.insert(text_of(i), {i});
    map.resize(900);
    EXPECT_EQ(map.size(), 60U);
    map.clear();
    map.resize(400);
    EXPECT_EQ(free_bytes(), with_map);
    acre::barrier();
    for (std::uint32_t i = 0; i < 60; ++i) map.insert(text_of(i), {i});
  }
  acre::barrier();
  EXPECT_EQ(free_bytes(), before);
  acre::barrier();
}

TEST(HashMapAnyType, ShowsAllEntriesToEveryRank) {
  texts map(acre::world(), 1000);
  for (std::uint32_t i = acre::rank(); i < 150; i += acre::size()) {
    map.insert(text_of(i), std::vector<std::uint32_t>(i % 3 == 0 ? 5000 : 1, i));
  }
  acre::barrier();
  std::map<std::string, std::uint32_t> all;
  for (const auto& [key, value] : map) {
    ASSERT_FALSE(value.empty());
    EXPECT_TRUE(all.emplace(key, value.front()).second);
    EXPECT_EQ(value, std::vector<std::uint32_t>(value.front() % 3 == 0 ? 5000 : 1, value.front()));
  }
  EXPECT_EQ(all.size(), 150U);
  std::uint64_t mine = 0;
  for (const auto& [key, value] : map.local()) {
    EXPECT_TRUE(map.owner(key).is_this_rank());
    ++mine;
  }
  EXPECT_EQ(mine, map.local_size());
  acre::barrier();
}

TEST(HashMapAnyType, AnswersInBulk) {
  texts map(acre::world(), 1000);
  std::vector<std::string> keys;
  std::vector<std::vector<std::uint32_t>> values;
  for (std::uint32_t i = acre::rank(); i < 120; i += acre::size()) {
    keys.push_back(text_of(i));
    values.emplace_back(i % 10 == 0 ? 3000 : i % 4, i);
  }
  EXPECT_EQ(map.insert_many(keys, values), keys.size());
  acre::barrier();
  std::vector<std::string> asked;
  for (std::uint32_t i = 0; i < 140; ++i) asked.push_back(text_of(i));
  const auto found = map.find_many(asked);
  for (std::uint32_t i = 0; i < 140; ++i) {
    EXPECT_EQ(found[i].has_value(), i < 120) << i;
    if (found[i]) {
      EXPECT_EQ(*found[i], std::vector<std::uint32_t>(i % 10 == 0 ? 3000 : i % 4, i));
    }
  }
  acre::barrier();
}

TEST(HashMapAnyType, AnswersLater) {
  texts map(acre::world(), 100);
  auto added = map.insert_async(text_of(acre::rank()), {acre::rank()});
  auto large = map.insert_async("large" + std::to_string(acre::rank()),
                                std::vector<std::uint32_t>(20'000, acre::rank()));
  EXPECT_TRUE(added.get());
  EXPECT_TRUE(large.get());
  acre::barrier();
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  auto small_found = map.find_async(text_of(next));
  auto large_found = map.find_async("large" + std::to_string(next));
  EXPECT_EQ(small_found.get(), std::vector<std::uint32_t>{next});
  EXPECT_EQ(large_found.get(), std::vector<std::uint32_t>(20'000, next));
  acre::barrier();
}

}  // namespace
