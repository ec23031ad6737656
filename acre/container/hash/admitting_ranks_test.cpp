// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/hash/admitting.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using counts = acre::hash_map<std::uint64_t, std::uint32_t>;
using filter = acre::bloom_filter<std::uint64_t>;

std::vector<std::uint64_t> keys_of(std::uint64_t seed, acre::rank_t rank) {
  std::mt19937_64 random(seed + rank);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 2000; ++i) keys.push_back(random() % (random() % 1000 + 1));
  for (int i = 0; i < 2000; ++i) keys.push_back(random() % 50'000);
  return keys;
}

std::map<std::uint64_t, std::uint32_t> count_all(std::uint64_t seed) {
  std::map<std::uint64_t, std::uint32_t> model;
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    for (const std::uint64_t key : keys_of(seed, rank)) ++model[key];
  }
  return model;
}

TEST(AdmittingSmoke, CountsRepeatedKeysExactlyInTwoPasses) {
  const std::uint64_t seed = acre::world().broadcast(std::uint64_t{std::random_device{}()}, 0);
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto model = count_all(seed);
  const auto mine = keys_of(seed, acre::rank());
  counts map(acre::world(), 4 * model.size());
  {
    filter seen(acre::world(), model.size(), 0.01);
    acre::buffered writer(map, acre::admitting_repeated(seen));
    for (const std::uint64_t key : mine) writer.add(key);
  }
  std::uint64_t once = 0;
  std::uint64_t repeated = 0;
  for (const auto& [key, count] : model) {
    ++(count == 1 ? once : repeated);
    if (count == 1) continue;
    EXPECT_EQ(map.find(key), 0U) << "a key that was inserted " << count << " times";
  }
  const std::uint64_t entries = map.size();
  EXPECT_LE(entries - repeated, once / 25 + 20) << "false positives";
  {
    acre::buffered writer(map, acre::counting_present);
    for (const std::uint64_t key : mine) writer.add(key);
  }
  EXPECT_EQ(map.size(), entries) << "no key is added now";
  map.for_each_local([&](std::uint64_t key, std::uint32_t count) {
    const auto known = model.find(key);
    ASSERT_NE(known, model.end()) << "a key from nowhere";
    EXPECT_EQ(count, known->second);
  });
  acre::barrier();
}

TEST(Admitting, SeesThatAKeyCameFromTwoRanksAtOnce) {
  counts map(acre::world(), 20'000);
  filter seen(acre::world(), 5000, 1e-6);
  {
    acre::buffered writer(map, acre::admitting_repeated(seen));
    for (std::uint64_t key = 0; key < 5000; ++key) writer.add(key);
  }
  const std::uint64_t entries = map.size();
  if (acre::size() == 1) {
    EXPECT_LE(entries, 2U);
  } else {
    EXPECT_EQ(entries, 5000U);
  }
}

TEST(Admitting, KeepsWhatFindsNoRoomUntilThereIs) {
  counts map(acre::world(), 16 * acre::size());
  filter seen(acre::world(), 1000 * acre::size(), 1e-6);
  acre::buffered writer(map, acre::admitting_repeated(seen));
  const std::uint64_t base = 1000 * acre::rank();
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t key = base; key < base + 500; ++key) writer.add(key);
  }
  writer.flush_and_grow();
  acre::barrier();
  for (std::uint64_t key = base; key < base + 500; ++key) EXPECT_TRUE(map.contains(key));
  acre::barrier();
}

}  // namespace
