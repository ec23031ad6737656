// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/base/checks.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/hash/wide_value_test.hpp>
#include <acre/container/read_way.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using numbers = acre::hash_map<std::uint64_t, std::uint64_t>;

class with_way {
 public:
  explicit with_way(acre::read_way way) { acre::set_read_way(way); }
  ~with_way() { acre::set_read_way(before_); }
  with_way(const with_way&) = delete;
  with_way& operator=(const with_way&) = delete;

 private:
  acre::read_way before_ = acre::get_read_way();
};

bool is_far(acre::rank_t rank) {
  return acre::runtime::node_of(rank) != acre::runtime::node_of(acre::rank());
}

template <class Map>
std::vector<typename Map::key_type> owned_by(const Map& map, acre::rank_t owner, std::size_t count,
                                             std::uint64_t first) {
  std::vector<typename Map::key_type> keys;
  for (std::uint64_t key = first; keys.size() < count; ++key) {
    if (map.owner(key).number() == owner) keys.push_back(key);
  }
  return keys;
}

acre::operation_counts cost_of(auto&& operation) {
  const acre::operation_counts before = acre::counters();
  operation();
  return acre::counters() - before;
}

/// With checks, the first find of a phase at a member is a message.
void record_phase(const auto& map, const auto& key) {
  if constexpr (acre::base::has_checks) static_cast<void>(map.contains(key, only<find>));
}

struct reads_for_each {
  double found;
  double absent;
};

/// Average R of rank 0's finds at the last rank. Expects no M, W and A.
reads_for_each reads_at_load(double load) {
  constexpr std::uint64_t capacity = 4000;
  numbers map(acre::world(), capacity * acre::size());
  const acre::rank_t last = acre::size() - 1;
  const auto count = static_cast<std::size_t>(load * capacity);
  const auto keys = owned_by(map, last, count, 0);
  const auto absent = owned_by(map, last, 1000, keys.back() + 1);
  if (acre::rank() == last) {
    for (const std::uint64_t key : keys) map.insert(key, key + 1);
  }
  acre::barrier();
  reads_for_each average{};
  if (acre::rank() == 0) {
    record_phase(map, keys[0]);
    const auto finding = cost_of([&] {
      for (const std::uint64_t key : keys) EXPECT_EQ(map.find(key, only<find>), key + 1);
    });
    const auto missing = cost_of([&] {
      for (const std::uint64_t key : absent) EXPECT_FALSE(map.contains(key, only<find>));
    });
    for (const auto& each : {finding, missing}) {
      EXPECT_EQ(each.messages + each.writes + each.atomics + each.rpcs, 0U);
    }
    average = {.found = static_cast<double>(finding.reads) / static_cast<double>(keys.size()),
               .absent = static_cast<double>(missing.reads) / static_cast<double>(absent.size())};
  }
  acre::barrier();
  return average;
}

TEST(BucketReadsSmoke, AreOneReadAndNoMessage) {
  const with_way get(acre::read_way::get);
  const auto half = reads_at_load(0.5);
  const auto full = reads_at_load(0.75);
  if (acre::rank() != 0 || !is_far(acre::size() - 1)) return;
  // A search at the part's end continues at its begin.
  EXPECT_LE(half.found, 1.002);
  EXPECT_LE(half.absent, 1.002);
  EXPECT_LE(full.found, 1.02);
  EXPECT_LE(full.absent, 1.02);
}

TEST(BucketReads, AreMessagesIfSet) {
  const with_way message(acre::read_way::message);
  numbers map(acre::world(), 1000);
  const acre::rank_t last = acre::size() - 1;
  const std::uint64_t key = owned_by(map, last, 1, 0)[0];
  if (acre::rank() == last) map.insert(key, 7);
  acre::barrier();
  if (acre::rank() == 0 && is_far(last)) {
    const auto cost = cost_of([&] { EXPECT_EQ(map.find(key, only<find>), 7U); });
    EXPECT_EQ(cost.messages, 1U);
    EXPECT_EQ(cost.reads, 0U);
  }
  acre::barrier();
}

TEST(BucketReads, AreMessagesForSeparateValuesAndWithoutGuarantee) {
  const with_way get(acre::read_way::get);
  acre::hash_map<std::uint64_t, std::string> texts(acre::world(), 1000);
  numbers map(acre::world(), 1000);
  const acre::rank_t last = acre::size() - 1;
  const std::uint64_t key = owned_by(map, last, 1, 0)[0];
  if (acre::rank() == last) {
    map.insert(key, 7);
    texts.insert(key, "seven");
  }
  acre::barrier();
  if (acre::rank() == 0 && is_far(last)) {
    const auto text = cost_of([&] { EXPECT_EQ(texts.find(key, only<find>), "seven"); });
    EXPECT_EQ(text.messages, 1U);
    EXPECT_EQ(text.reads, 0U);
    const auto plain = cost_of([&] { EXPECT_EQ(map.find(key), 7U); });
    EXPECT_EQ(plain.messages, 1U);
    EXPECT_EQ(plain.reads, 0U);
  }
  acre::barrier();
}

/// Inserts keys until parts of 50 buckets are full.
template <class Map, class Key, class Value>
void find_all_in_full_parts(Key key_of, Value value_of) {
  Map map(acre::world(), 50 * acre::size());
  std::vector<std::uint64_t> mine;
  std::vector<std::uint64_t> refused;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto key = key_of(i);
    if (map.owner(key).number() != acre::rank()) continue;
    try {
      map.insert(key, value_of(i));
      mine.push_back(i);
    } catch (const acre::error&) {
      refused.push_back(i);
    }
  }
  acre::barrier();
  const with_way get(acre::read_way::get);
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    for (const std::uint64_t i : acre::world().broadcast(mine, rank)) {
      ASSERT_EQ(map.find(key_of(i), only<find>), value_of(i));
    }
    for (const std::uint64_t i : acre::world().broadcast(refused, rank)) {
      ASSERT_FALSE(map.contains(key_of(i), only<find>));
    }
  }
  acre::barrier();
}

struct alignas(64) line_key {
  std::uint64_t number;
  friend bool operator==(const line_key&, const line_key&) = default;
};
struct line_hash {
  std::uint64_t operator()(const line_key& key) const noexcept { return key.number * 0x9e3779b9; }
};
template <std::size_t Words>
struct words {
  acre::testing::wide_value<Words> held;
  friend bool operator==(const words& a, const words& b) { return a.held.words == b.held.words; }
};

TEST(BucketReads, FindAllKeysOfEachKindOfBucket) {
  const auto number = [](std::uint64_t i) { return i; };
  const auto small = [](std::uint64_t i) { return static_cast<std::uint8_t>(i); };
  find_all_in_full_parts<acre::hash_map<std::uint32_t, std::uint8_t>>(
      [](std::uint64_t i) { return static_cast<std::uint32_t>(i); }, small);
  find_all_in_full_parts<numbers>(number, number);
  find_all_in_full_parts<acre::hash_map<line_key, std::uint8_t, line_hash>>(
      [](std::uint64_t i) { return line_key{i}; }, small);
  find_all_in_full_parts<acre::hash_map<std::uint64_t, words<100>>>(
      number, [](std::uint64_t i) { return words<100>{acre::testing::wide_value<100>::of(i)}; });
  find_all_in_full_parts<acre::hash_map<std::uint64_t, words<1000>>>(
      number, [](std::uint64_t i) { return words<1000>{acre::testing::wide_value<1000>::of(i)}; });
  using pair_key = std::pair<std::uint32_t, std::uint32_t>;
  using pair_value = std::tuple<int, double>;
  static_assert(acre::storage_of<pair_key> == acre::storage::fixed);
  find_all_in_full_parts<acre::hash_map<pair_key, pair_value>>(
      [](std::uint64_t i) { return pair_key{static_cast<std::uint32_t>(i), 3}; },
      [](std::uint64_t i) { return pair_value{static_cast<int>(i), 0.5}; });
}

TEST(BucketReads, FindKeysOfFurtherBlocks) {
  const with_way get(acre::read_way::get);
  numbers map(acre::world(), acre::size(), acre::growth::automatic);
  constexpr std::uint64_t count = 3000;
  for (std::uint64_t key = acre::rank(); key < count; key += acre::size()) map.insert(key, key + 1);
  acre::barrier();
  for (std::uint64_t key = 0; key < count; ++key) ASSERT_EQ(map.find(key, only<find>), key + 1);
  EXPECT_FALSE(map.contains(count, only<find>));
  map.sync();
  const acre::rank_t last = acre::size() - 1;
  const auto keys = owned_by(map, last, 100, 0);
  const auto absent = owned_by(map, last, 100, count);
  if (acre::rank() == 0 && is_far(last)) {
    record_phase(map, keys[0]);
    const auto cost = cost_of([&] {
      for (const std::uint64_t key : keys) EXPECT_TRUE(map.contains(key, only<find>));
    });
    EXPECT_EQ(cost.messages, 0U);
    EXPECT_LE(cost.reads, 105U);
    const auto missing = cost_of([&] {
      for (const std::uint64_t key : absent) EXPECT_FALSE(map.contains(key, only<find>));
    });
    EXPECT_EQ(missing.messages, 0U);
    EXPECT_LE(missing.reads, 205U);
  }
  acre::barrier();
}

TEST(BucketReads, AreAsynchronous) {
  const with_way get(acre::read_way::get);
  for (const auto grows : {acre::growth::manual, acre::growth::automatic}) {
    numbers map(acre::world(), 64 * acre::size(), grows);
    std::vector<std::uint64_t> keys;
    for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
      const auto of_rank = owned_by(map, rank, grows == acre::growth::manual ? 64 : 500, 0);
      keys.insert(keys.end(), of_rank.begin(), of_rank.end());
    }
    for (std::size_t i = acre::rank(); i < keys.size(); i += acre::size()) map.insert(keys[i], i);
    acre::barrier();
    std::vector<acre::future<std::optional<std::uint64_t>>> found;
    std::vector<acre::future<std::optional<std::uint64_t>>> absent;
    for (const std::uint64_t key : keys) {
      found.push_back(map.find_async(key, only<find>));
      absent.push_back(map.find_async(~key, only<find>));
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(found[i].get(), i);
      ASSERT_FALSE(absent[i].get());
    }
    map.sync();
  }
}

TEST(BucketReads, CostOneReadAlsoIfAsynchronous) {
  const with_way get(acre::read_way::get);
  numbers map(acre::world(), 4000 * acre::size());
  const acre::rank_t last = acre::size() - 1;
  const auto keys = owned_by(map, last, 1000, 0);
  if (acre::rank() == last) {
    for (const std::uint64_t key : keys) map.insert(key, key);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    record_phase(map, keys[0]);
    const auto cost = cost_of([&] {
      for (const std::uint64_t key : keys) EXPECT_EQ(map.find_async(key, only<find>).get(), key);
    });
    EXPECT_LE(cost.reads, is_far(last) ? 1002U : 1400U);
    EXPECT_LE(cost.messages, is_far(last) ? 2U : 0U);
  }
  acre::barrier();
}

TEST(BucketReads, MayBeUnderWayAtTheEnd) {
  const with_way get(acre::read_way::get);
  for (int round = 0; round < 20; ++round) {
    std::vector<acre::future<std::optional<std::uint64_t>>> found;
    {
      numbers map(acre::world(), 100 * acre::size());
      map.insert(acre::rank(), 5);
      acre::barrier();
      for (std::uint64_t key = 0; key < acre::size(); ++key) {
        found.push_back(map.find_async(key, only<find>));
      }
    }
    for (auto& each : found) EXPECT_EQ(each.get(), 5U);
  }
}

TEST(BucketReads, FollowAModelOverPhasesWithDelays) {
  const with_way get(acre::read_way::get);
  const std::uint64_t seed = acre::testing::common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 common(seed);
  std::mt19937_64 own(seed + 1 + acre::rank());
  const auto pause = [&] {
    if (own() % 8 == 0) ::usleep(static_cast<useconds_t>(own() % 2000));
  };
  acre::hash_map<std::uint64_t, words<5>> map(acre::world(), 60 * acre::size());
  std::unordered_map<std::uint64_t, std::uint64_t> model;
  const std::uint64_t keys = 40 * acre::size();
  for (int phase = 0; phase < acre::testing::steps(60); ++phase) {
    for (std::uint64_t key = 0; key < keys; ++key) {
      const std::uint64_t what = common() % 4;
      const std::uint64_t value = common();
      const bool is_mine = common() % acre::size() == acre::rank();
      if (what == 0) {
        model[key] = value;
        if (is_mine) {
          map.insert_or_assign(key, words<5>{acre::testing::wide_value<5>::of(value)},
                               only<update, erase>);
        }
      } else if (what == 1) {
        model.erase(key);
        if (is_mine) map.erase(key, only<update, erase>);
      }
    }
    pause();
    acre::barrier();
    for (int i = 0; i < 30; ++i) {
      const std::uint64_t key = own() % keys;
      const auto met = map.find(key, only<find>);
      const auto known = model.find(key);
      ASSERT_EQ(met.has_value(), known != model.end());
      if (met) {
        ASSERT_TRUE(met->held.is_whole());
        ASSERT_EQ(met->held.words[0], known->second);
      }
      pause();
    }
    acre::barrier();
  }
}

TEST(BucketReads, ReportBrokenGuaranteesAsMessagesDo) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "a build without checks";
  const with_way get(acre::read_way::get);
  numbers map(acre::world(), 1000);
  const std::uint64_t key = owned_by(map, acre::size() - 1, 1, 0)[0];
  if (acre::rank() == 0) {
    for (int i = 0; i < 3; ++i) static_cast<void>(map.find(key, only<find>));
    EXPECT_THROW(map.insert(key, 1), acre::error);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    map.insert(key, 1);
    EXPECT_THROW(static_cast<void>(map.find(key, only<find>)), acre::error);
    EXPECT_THROW(static_cast<void>(map.find(key, only<find>)), acre::error);
  }
  acre::barrier();
  EXPECT_EQ(map.find(key, only<find>), 1U);
  acre::barrier();
}

}  // namespace
