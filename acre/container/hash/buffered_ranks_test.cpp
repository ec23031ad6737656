// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace {

using acre::testing::common_seed;
using counts = acre::hash_map<std::uint64_t, std::uint32_t>;

std::uint64_t skewed(std::mt19937_64& random, std::uint64_t keys) {
  return random() % (random() % keys + 1);
}

template <class Map>
auto all_entries(const Map& map) {
  std::map<typename Map::key_type, typename Map::mapped_type> mine;
  map.for_each_local([&](const auto& key, const auto& value) {
    EXPECT_TRUE(mine.emplace(key, value).second) << "a key is in two buckets";
    EXPECT_TRUE(map.owner(key).is_this_rank());
  });
  return mine;
}

TEST(BufferedSmoke, CountsLikeOneBigMap) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr std::uint64_t keys = 5000;
  constexpr int items = 10'000;
  counts map(acre::world(), 2 * keys);
  {
    std::mt19937_64 random(seed + acre::rank());
    acre::buffered writer(map, acre::counting);
    for (int i = 0; i < items; ++i) writer.add(skewed(random, keys));
  }
  acre::barrier();
  std::map<std::uint64_t, std::uint32_t> model;
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    std::mt19937_64 random(seed + rank);
    for (int i = 0; i < items; ++i) ++model[skewed(random, keys)];
  }
  EXPECT_EQ(map.size(), model.size());
  for (const auto& [key, count] : all_entries(map)) EXPECT_EQ(count, model.at(key));
  acre::barrier();
}

TEST(Buffered, ShowsNothingLessAfterFlush) {
  counts map(acre::world(), 1000);
  acre::buffered writer(map, acre::adding);
  for (int round = 1; round <= 5; ++round) {
    for (std::uint64_t key = 0; key < 100; ++key) writer.add(key, 3);
    writer.flush();
    const auto mine = static_cast<std::uint32_t>(3 * round);
    for (std::uint64_t key = 0; key < 100; key += 13) EXPECT_GE(*map.find(key), mine);
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 100; ++key) EXPECT_EQ(map.find(key), 15 * acre::size());
  acre::barrier();
}

struct span_of_values {
  std::int64_t least = 1 << 30;
  std::int64_t most = -(1 << 30);
  std::uint64_t key = 0;
};
using spans = acre::hash_map<std::uint64_t, span_of_values>;

TEST(Buffered, InsertsOnceAndAssignsLast) {
  spans map(acre::world(), 1000);
  const std::uint64_t base = 1000 * acre::rank();
  {
    acre::buffered inserter(map, acre::inserting);
    for (std::uint64_t key = base; key < base + 50; ++key) {
      inserter.insert(key, {1, 1, key});
      inserter.insert(key, {2, 2, key});
    }
  }
  for (std::uint64_t key = base; key < base + 50; ++key) EXPECT_EQ(map.find(key)->most, 1);
  {
    acre::buffered assigner(map, acre::assigning);
    for (std::uint64_t key = base; key < base + 60; ++key) {
      assigner.assign(key, {3, 3, key});
      assigner.assign(key, {4, 4, key});
    }
  }
  for (std::uint64_t key = base; key < base + 60; ++key) EXPECT_EQ(map.find(key)->most, 4);
  acre::barrier();
}

TEST(Buffered, RunsFunctionsOfTheUser) {
  spans map(acre::world(), 1000);
  {
    acre::buffered writer(map, acre::updating<int>([](span_of_values& span, int value) {
                            span.least = std::min<std::int64_t>(span.least, value);
                            span.most = std::max<std::int64_t>(span.most, value);
                          }));
    for (int i = 0; i < 2000; ++i) {
      writer.update(static_cast<std::uint64_t>(i % 20), i + static_cast<int>(acre::rank()));
    }
  }
  acre::barrier();
  for (int key = 0; key < 20; ++key) {
    const auto found = map.find(static_cast<std::uint64_t>(key));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->least, key);
    EXPECT_EQ(found->most, 1980 + key + static_cast<int>(acre::size()) - 1);
  }
  acre::barrier();
}

TEST(Buffered, KeepsWhatFindsNoRoomUntilThereIsSome) {
  counts map(acre::world(), 50 * acre::size());
  const std::uint64_t keys = 100 * acre::size();
  acre::buffered writer(map, acre::counting);
  for (std::uint64_t key = 0; key < keys; ++key) writer.add(key);
  bool refused = false;
  try {
    writer.flush();
  } catch (const acre::error& full) {
    refused = true;
    EXPECT_EQ(full.call(), "buffered::flush");
    EXPECT_NE(std::string(full.what()).find("resize"), std::string::npos) << full.what();
    EXPECT_EQ(full.problem(), std::to_string(writer.refused()) +
                                  " items do not fit their full parts (capacity " +
                                  std::to_string(map.capacity()) + "); all others were applied");
  }
  EXPECT_TRUE(refused) << "there are more keys than buckets";
  EXPECT_EQ(map.size(), map.capacity());
  map.resize(4 * keys);
  writer.flush();
  EXPECT_EQ(writer.refused(), 0U);
  acre::barrier();
  EXPECT_EQ(map.size(), keys);
  for (const auto& [key, count] : all_entries(map)) EXPECT_EQ(count, acre::size()) << key;
  acre::barrier();
}

TEST(Buffered, GrowsTheMapAtACollectivePoint) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  counts map(acre::world(), 16);
  std::mt19937_64 random(seed);
  acre::buffered writer(map, acre::counting);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 3000; ++i) writer.add(random() % 4000);
    writer.flush_and_grow();
  }
  std::mt19937_64 again(seed);
  std::map<std::uint64_t, std::uint32_t> model;
  for (int i = 0; i < 12'000; ++i) ++model[again() % 4000];
  EXPECT_EQ(map.size(), model.size());
  EXPECT_LE(map.load_factor(), 0.75);
  for (const auto& [key, count] : all_entries(map)) EXPECT_EQ(count, model.at(key) * acre::size());
  acre::barrier();
}

TEST(Buffered, SurvivesAResizeWithItemsOnTheirWay) {
  counts map(acre::world(), 20'000);
  acre::buffered writer(map, acre::counting);
  for (std::uint64_t round = 0; round < 4; ++round) {
    for (std::uint64_t key = 0; key < 7000; ++key) writer.add(key);
    map.resize(20'000 + 10'000 * (round % 2));
  }
  writer.flush();
  acre::barrier();
  EXPECT_EQ(map.size(), 7000U);
  for (const auto& [key, count] : all_entries(map)) EXPECT_EQ(count, 4 * acre::size());
  acre::barrier();
}

TEST(Buffered, MovesWithWhatItHolds) {
  auto map = std::make_unique<counts>(acre::world(), 1000);
  acre::buffered first(*map, acre::counting);
  for (std::uint64_t key = 0; key < 100; ++key) first.add(key);
  auto second = std::make_unique<acre::buffered<counts, acre::counting_rule>>(std::move(first));
  EXPECT_THROW(first.flush(), acre::error);
  EXPECT_THROW(first.add(1), acre::error);
  counts moved(std::move(*map));
  map.reset();
  for (std::uint64_t key = 0; key < 100; ++key) second->add(key);
  second->flush();
  second.reset();
  acre::barrier();
  EXPECT_EQ(moved.size(), 100U);
  EXPECT_EQ(moved.find(42), 2 * acre::size());
  acre::barrier();
}

using sums = acre::hash_map<std::uint64_t, std::uint64_t>;
struct amount {
  std::uint64_t number;
  std::array<std::byte, 1000> rest{};
};
struct add_up {
  void operator()(std::uint64_t& value, const amount& more) const { value += more.number; }
};
using summing_writer = acre::buffered<sums, acre::updating_rule<amount, add_up>>;
summing_writer* the_writer = nullptr;

std::uint64_t taken_from_others = 0;

void add_here(std::uint64_t key) {
  the_writer->update(key, {.number = 1});
  ++taken_from_others;
}

TEST(Buffered, TakesItemsFromRpcsThatRunWhileItWaits) {
  constexpr std::uint64_t items = 8000;
  sums map(acre::world(), 2 * items * acre::size());
  std::uint64_t asked = 0;
  taken_from_others = 0;
  {
    summing_writer writer(map, acre::updating<amount>(add_up{}));
    the_writer = &writer;
    acre::barrier();
    const acre::rank_t next = (acre::rank() + 1) % acre::size();
    for (std::uint64_t i = 0; i < items; ++i) {
      writer.update(i * acre::size() + acre::rank(), {.number = 1});
      if (i % 3 != 0) continue;
      acre::rpc_ff(next, add_here, 1'000'000 + i);
      ++asked;
    }
    acre::runtime::wait_until([&] { return taken_from_others == asked; }, "the other's items");
    writer.flush();
    acre::barrier();
  }
  acre::barrier();
  std::uint64_t sum = 0;
  map.for_each_local([&](std::uint64_t, std::uint64_t value) { sum += value; });
  EXPECT_EQ(acre::world().allreduce(sum), acre::size() * (items + asked));
  acre::barrier();
}

TEST(Buffered, TakesItemsThatNoMessageCarries) {
  acre::hash_map<int, int> map(acre::world(), 100);
  using large = std::array<std::byte, 100'000>;
  const auto rule = acre::updating<large>(
      [](int& value, const large& added) { value += std::to_integer<int>(added.back()); });
  {
    acre::buffered writer(map, rule);
    large one{};
    one.back() = std::byte{1};
    for (int key = 0; key < 10; ++key) writer.update(key, one);
    writer.flush();
  }
  acre::barrier();
  for (int key = 0; key < 10; ++key) EXPECT_EQ(map.find(key), static_cast<int>(acre::size()));
  acre::barrier();
}

TEST(Buffered, MixesWithDirectOperations) {
  counts map(acre::world(), 1000);
  {
    acre::buffered writer(map, acre::counting);
    for (int round = 0; round < 50; ++round) {
      for (std::uint64_t key = 0; key < 100; ++key) writer.add(key);
      map.fetch_add(static_cast<std::uint64_t>(round), 1);
      map.erase(1'000'000);
    }
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 100; ++key) {
    EXPECT_EQ(map.find(key), (key < 50 ? 51 : 50) * acre::size());
  }
  acre::barrier();
}

TEST(Buffered, HasAWriterForEachOfManyMapsAndTwoForOne) {
  counts a(acre::world(), 500);
  counts b(acre::world(), 500);
  {
    acre::buffered to_a(a, acre::counting);
    acre::buffered to_b(b, acre::counting);
    acre::buffered too(a, acre::adding);
    for (std::uint64_t key = 0; key < 200; ++key) {
      to_a.add(key);
      to_b.add(key + 1000);
      too.add(key, 5);
    }
  }
  acre::barrier();
  EXPECT_EQ(a.find(7), 6 * acre::size());
  EXPECT_EQ(b.find(1007), acre::size());
  EXPECT_FALSE(b.find(7));
  acre::barrier();
}

TEST(Buffered, SendsOneMessageForABatchAndNoneInsideANode) {
  constexpr std::uint64_t keys = 40'000;
  counts map(acre::world(), 2 * keys);
  acre::buffered writer(map, acre::counting);
  acre::barrier();
  std::uint64_t distant = 0;
  const auto before = acre::counters();
  for (std::uint64_t key = 0; key < keys; ++key) {
    writer.add(key);
    const acre::rank_t owner = map.owner(key).world_rank();
    if (acre::runtime::node_of(owner) != acre::runtime::node_of(acre::rank())) ++distant;
  }
  writer.flush();
  const auto spent = acre::counters() - before;
  const std::uint64_t in_this_node = keys - distant;
  EXPECT_GE(spent.atomics, in_this_node);
  if (acre::runtime::node_count() == 1) {
    EXPECT_EQ(spent.messages, 0U);
  } else if (distant != 0) {
    EXPECT_LT(spent.messages, distant / 10);
  }
  acre::barrier();
}

TEST(Buffered, BoundsItsMemory) {
  for (const std::uint64_t parts : {1U, 2U, 7U, 1000U, 100'000U}) {
    for (const std::uint64_t part_bytes : {0ULL, 1000ULL, 1ULL << 20, 1ULL << 30}) {
      for (const std::size_t item_bytes : {1U, 8U, 24U, 4096U}) {
        const auto sizes = acre::container::choose_batches(parts, part_bytes, item_bytes);
        EXPECT_TRUE(std::has_single_bit(sizes.bins_per_part));
        EXPECT_TRUE(std::has_single_bit(sizes.items));
        EXPECT_TRUE(sizes.items == 1 || sizes.items * item_bytes <= acre::runtime::max_payload());
        EXPECT_LE(parts * sizes.bins_per_part * sizes.items * item_bytes,
                  std::max<std::uint64_t>(32 << 20, parts * item_bytes));
      }
    }
  }
}

}  // namespace
