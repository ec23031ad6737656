// SPDX-License-Identifier: BSD-3-Clause
// Keys, values and operands of any type in buffered writers.
#include <acre/base/error.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/hash/admitting.hpp>
#include <acre/container/hash/angle_test.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/counting_map.hpp>
#include <acre/container/hash/finding.hpp>
#include <acre/container/hash/hash_set.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::testing::angle;
using acre::testing::angle_hash;
using acre::testing::common_seed;
using texts = acre::hash_map<std::string, std::vector<std::uint32_t>>;

std::string text_of(std::uint64_t number) {
  return std::to_string(number) + std::string(number % 7 == 0 ? 500 : number % 5, 'x');
}

std::size_t free_bytes() { return acre::runtime::segment_free().private_part; }

TEST(BufferedAnyTypeSmoke, CountsTextsLikeOneBigMap) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr std::uint64_t keys = 500;
  constexpr int items = 3000;
  acre::counting_map<std::string> counts(acre::world(), 2 * keys);
  {
    std::mt19937_64 random(seed + acre::rank());
    acre::buffered writer(counts, acre::counting);
    for (int i = 0; i < items; ++i) writer.add(text_of(random() % keys));
  }
  acre::barrier();
  std::map<std::string, std::uint64_t> model;
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    std::mt19937_64 random(seed + rank);
    for (int i = 0; i < items; ++i) ++model[text_of(random() % keys)];
  }
  EXPECT_EQ(counts.size(), model.size());
  for (const auto& [key, count] : counts.local()) EXPECT_EQ(count, model.at(key)) << key;
  acre::barrier();
}

TEST(BufferedAnyType, InsertsOnceAndAssignsLast) {
  texts map(acre::world(), 100 * acre::size());
  const auto key_of = [](std::uint32_t i) {
    return std::to_string(acre::rank()) + "/" + text_of(i);
  };
  {
    acre::buffered inserter(map, acre::inserting);
    for (std::uint32_t i = 0; i < 30; ++i) {
      inserter.insert(key_of(i), std::vector<std::uint32_t>(i % 5, 1));
      inserter.insert(key_of(i), {2, 2});
    }
  }
  for (std::uint32_t i = 0; i < 30; ++i) {
    EXPECT_EQ(map.find(key_of(i)), std::vector<std::uint32_t>(i % 5, 1));
  }
  {
    acre::buffered assigner(map, acre::assigning);
    for (std::uint32_t i = 0; i < 40; ++i) {
      assigner.assign(key_of(i), {3, 3, 3});
      assigner.assign(key_of(i), std::vector<std::uint32_t>(i % 50, 4));
    }
  }
  for (std::uint32_t i = 0; i < 40; ++i) {
    EXPECT_EQ(map.find(key_of(i)), std::vector<std::uint32_t>(i % 50, 4));
  }
  acre::barrier();
}

TEST(BufferedAnyType, RunsFunctionsOnOperandsOfAnyType) {
  acre::hash_map<std::uint32_t, std::string> map(acre::world(), 100);
  {
    acre::buffered writer(map, acre::updating<std::string>(
                                   [](std::string& all, const std::string& more) { all += more; }));
    for (std::uint32_t i = 0; i < 300; ++i) {
      writer.update(i % 10, std::string(1 + i % 3, static_cast<char>('a' + acre::rank() % 26)));
    }
  }
  acre::barrier();
  for (std::uint32_t key = 0; key < 10; ++key) {
    std::map<char, std::size_t> letters;
    std::size_t expected = 0;
    for (std::uint32_t i = key; i < 300; i += 10) expected += 1 + i % 3;
    const std::string all = map.find(key).value();
    for (const char each : all) ++letters[each];
    for (acre::rank_t r = 0; r < acre::size() && r < 26; ++r) {
      EXPECT_EQ(letters[static_cast<char>('a' + r)], expected) << key;
    }
  }
  acre::barrier();
}

TEST(BufferedAnyType, TakesKeysAndValuesWithoutDefaultConstructors) {
  acre::hash_map<angle, angle, angle_hash> map(acre::world(), 200);
  {
    acre::buffered writer(map, acre::inserting);
    for (int i = 0; i < 60; ++i) writer.insert(angle(i), angle(i + 0.5));
  }
  acre::barrier();
  for (int i = 0; i < 60; ++i) EXPECT_EQ(map.find(angle(i)), angle(i + 0.5));
  EXPECT_EQ(map.size(), 60U);
  acre::barrier();
}

TEST(BufferedAnyType, TakesItemsThatNoMessageCarries) {
  acre::hash_map<std::string, std::string> map(acre::world(), 100);
  const auto value_of = [](int i) { return std::string(50'000, static_cast<char>('a' + i)); };
  {
    acre::buffered writer(map, acre::assigning);
    for (int i = 0; i < 6; ++i) {
      writer.assign("small" + std::to_string(i), "value");
      writer.assign("large" + std::to_string(i), value_of(i));
    }
  }
  acre::barrier();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(map.find("large" + std::to_string(i)), value_of(i));
    EXPECT_EQ(map.find("small" + std::to_string(i)), "value");
  }
  acre::barrier();
}

TEST(BufferedAnyType, KeepsWhatFindsNoRoomUntilThereIsSome) {
  acre::counting_map<std::string> map(acre::world(), 20 * acre::size());
  const std::uint64_t keys = 60 * acre::size();
  acre::buffered writer(map, acre::counting);
  for (std::uint64_t key = 0; key < keys; ++key) writer.add(text_of(key));
  EXPECT_THROW(writer.flush(), acre::error);
  EXPECT_GT(writer.refused(), 0U);
  acre::barrier();
  EXPECT_EQ(map.size(), map.capacity());
  map.resize(4 * keys);
  writer.flush();
  EXPECT_EQ(writer.refused(), 0U);
  acre::barrier();
  EXPECT_EQ(map.size(), keys);
  for (const auto& [key, count] : map.local()) EXPECT_EQ(count, acre::size()) << key;
  acre::barrier();
}

TEST(BufferedAnyType, GrowsTheMapAtACollectivePoint) {
  acre::hash_set<std::string> set(acre::world(), 16);
  acre::buffered writer(set, acre::inserting);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 400; ++i) {
      writer.insert(text_of(static_cast<std::uint64_t>(400 * round + i)));
    }
    writer.flush_and_grow();
  }
  EXPECT_EQ(set.size(), 1200U);
  EXPECT_LE(set.load_factor(), 0.75);
  for (const std::uint64_t key : {0U, 399U, 400U, 1199U}) EXPECT_TRUE(set.contains(text_of(key)));
  EXPECT_FALSE(set.contains(text_of(1200)));
  acre::barrier();
}

TEST(BufferedAnyType, KeepsTheItemsAtWhichUserCodeThrows) {
  acre::hash_map<std::string, std::string> map(acre::world(), 1000);
  acre::buffered writer(
      map, acre::updating<std::string>([](std::string& value, const std::string& operand) {
        if (operand == "bad") throw std::runtime_error("bad");
        value = operand;
      }));
  for (std::uint64_t i = 0; i < 50; ++i) writer.update(text_of(i), i % 10 == 0 ? "bad" : "good");
  EXPECT_THROW(writer.flush(), acre::error);
  EXPECT_EQ(writer.refused(), 5U);
  EXPECT_THROW(writer.flush(), acre::error) << "they are retried";
  EXPECT_EQ(writer.refused(), 5U);
  writer.discard_refused();
  writer.flush();
  acre::barrier();
  EXPECT_EQ(map.size(), 45U);
  acre::barrier();
}

struct stubborn {
  std::string text;
  static inline bool refuses = false;
  friend std::string acre_save(const stubborn& s) {
    if (refuses) throw std::runtime_error("not now");
    return s.text;
  }
  friend stubborn acre_load(std::type_identity<stubborn>, std::string written) {
    return {std::move(written)};
  }
};

TEST(BufferedAnyType, AddsNothingIfSerialisationThrows) {
  acre::hash_map<int, stubborn> map(acre::world(), 100);
  acre::buffered writer(map, acre::inserting);
  writer.insert(1, {"one"});
  stubborn::refuses = true;
  EXPECT_THROW(writer.insert(2, {"two"}), std::runtime_error);
  stubborn::refuses = false;
  writer.insert(3, {"three"});
  writer.flush();
  acre::barrier();
  EXPECT_EQ(map.find(1)->text, "one");
  EXPECT_FALSE(map.contains(2));
  EXPECT_EQ(map.find(3)->text, "three");
  acre::barrier();
}

TEST(BufferedAnyType, AdmitsRepeatedTexts) {
  acre::bloom_filter<std::string> seen(acre::world(), 1000, 1e-9);
  acre::hash_map<std::string, std::uint32_t> map(acre::world(), 500);
  {
    acre::buffered writer(map, acre::admitting_repeated(seen));
    for (std::uint64_t i = 0; i < 40; ++i) {
      writer.add("single" + std::to_string(acre::rank()) + text_of(i));
      writer.add(text_of(i));
      writer.add(text_of(i));
    }
  }
  EXPECT_EQ(map.size(), 40U);
  EXPECT_TRUE(map.contains(text_of(39)));
  acre::barrier();
}

TEST(BufferedAnyType, FindsInBulk) {
  texts map(acre::world(), 500);
  if (acre::rank() == 0) {
    acre::buffered writer(map, acre::inserting);
    for (std::uint32_t i = 0; i < 100; ++i) writer.insert(text_of(i), {i, i});
  }
  acre::barrier();
  std::uint32_t found = 0;
  std::uint32_t missed = 0;
  {
    acre::buffered reader(
        map, acre::finding([&](const std::string& key,
                               const std::optional<std::vector<std::uint32_t>>& values) {
          if (!values) {
            ++missed;
          } else {
            ++found;
            EXPECT_EQ(key, text_of(values->front()));
          }
        }));
    for (std::uint32_t i = 0; i < 120; ++i) reader.find(text_of(i));
  }
  EXPECT_EQ(found, 100U);
  EXPECT_EQ(missed, 20U);
  acre::barrier();
}

TEST(BufferedAnyType, SendsManyItemsInAMessageAndGivesBackAllMemory) {
  acre::barrier();
  const std::size_t before = free_bytes();
  acre::barrier();
  {
    acre::hash_map<std::string, std::string> map(acre::world(), 4000);
    acre::barrier();
    const auto spent_before = acre::counters();
    constexpr std::uint64_t keys = 2000;
    std::uint64_t distant = 0;
    acre::buffered writer(map, acre::assigning);
    for (std::uint64_t i = 0; i < keys; ++i) {
      const std::string key = std::to_string(i);
      writer.assign(key, "value of " + key);
      const acre::rank_t owner = map.owner(key).world_rank();
      if (acre::runtime::node_of(owner) != acre::runtime::node_of(acre::rank())) ++distant;
    }
    writer.flush();
    const auto spent = acre::counters() - spent_before;
    if (acre::runtime::node_count() == 1) {
      EXPECT_EQ(spent.messages, 0U);
    } else if (distant != 0) {
      EXPECT_LT(spent.messages, distant / 10);
    }
    acre::barrier();
    EXPECT_EQ(map.size(), keys);
  }
  acre::barrier();
  EXPECT_EQ(free_bytes(), before);
  acre::barrier();
}

}  // namespace
