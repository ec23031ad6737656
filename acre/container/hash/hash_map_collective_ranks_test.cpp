// SPDX-License-Identifier: BSD-3-Clause
// Collective calls of hash maps.
#include <acre/base/error.hpp>
#include <acre/container/hash/chosen_hash_test.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/allocate.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace {

using acre::testing::crowded;
using acre::testing::crowding;
using acre::testing::crowding_hash;
using counts = acre::hash_map<std::uint64_t, std::uint32_t>;

TEST(HashMap, KeepsItsEntriesWhenItIsResized) {
  counts map(acre::world(), 50);
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < 20; ++key) map.insert(key, static_cast<std::uint32_t>(key));
  }
  for (const std::uint64_t capacity : {100U, 1000U, 40U, 333U}) {
    const auto owner = map.owner(11);
    try {
      map.resize(capacity);
    } catch (const acre::error&) {
      EXPECT_EQ(capacity, 40U) << "only this one may be too small for a part";
      continue;
    }
    EXPECT_GE(map.capacity(), capacity);
    EXPECT_LT(map.capacity(), capacity + acre::size());
    EXPECT_EQ(map.owner(11), owner);
    EXPECT_EQ(map.size(), 20U);
    for (std::uint64_t key = 0; key < 20; ++key) {
      EXPECT_EQ(map.find(key), static_cast<std::uint32_t>(key));
    }
    acre::barrier();
  }
}

TEST(HashMap, RefusesToBecomeTooSmallOnAllRanks) {
  counts map(acre::world(), 400);
  for (std::uint64_t key = acre::rank(); key < 100; key += acre::size()) map.insert(key, 1);
  acre::barrier();
  const auto capacity = map.capacity();
  EXPECT_THROW(map.resize(50), acre::error);
  EXPECT_THROW(map.resize(std::uint64_t{1} << 60), acre::error);
  EXPECT_THROW(map.resize(~std::uint64_t{0}), acre::error);
  EXPECT_EQ(map.capacity(), capacity);
  EXPECT_EQ(map.size(), 100U);
  for (std::uint64_t key = 0; key < 100; ++key) EXPECT_TRUE(map.contains(key));
  acre::barrier();
}

TEST(HashMap, RefusesToBecomeLargerThanAnyMemory) {
  constexpr std::uint64_t absurd = ~std::uint64_t{0};
  counts entries(acre::world(), 4000);
  const std::uint64_t before = entries.capacity();
  EXPECT_THROW(entries.rehash(absurd), acre::error);
  EXPECT_THROW(entries.reserve(absurd), acre::error);
  EXPECT_THROW(entries.resize(absurd), acre::error);
  EXPECT_EQ(entries.capacity(), before);
  if (acre::size() > 1) {
    const std::uint64_t mine = acre::rank() == 0 ? absurd : 100;
    EXPECT_THROW(counts(acre::world(), mine), acre::error);
    EXPECT_THROW(entries.resize(mine), acre::error);
  }
  entries.insert_or_assign(1, 2);
  acre::barrier();
  EXPECT_EQ(entries.find(1), 2);
  acre::barrier();
}

TEST(HashMap, GrowsWhenTheFullestPartAsksForIt) {
  counts map(acre::world(), 64 * acre::size());
  EXPECT_FALSE(map.grow_if_needed());
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < 32 * acre::size(); ++key) map.insert(key, 1);
  }
  acre::barrier();
  EXPECT_TRUE(map.grow_if_needed(0.1));
  EXPECT_FALSE(map.grow_if_needed(0.1));
  EXPECT_EQ(map.size(), 32 * acre::size());
  EXPECT_LE(map.load_factor(), 0.1);
  acre::barrier();
}

TEST(HashMap, CannotGrowToALoadThatIsNoNumberAboveZero) {
  counts map(acre::world(), 64 * acre::size());
  map.insert(acre::rank(), 1);
  acre::barrier();
  const auto capacity = map.capacity();
  for (const double load : {0.0, -0.5, std::numeric_limits<double>::quiet_NaN(),
                            -std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(map.grow_if_needed(load), acre::error) << load;
  }
  EXPECT_THROW(map.grow_if_needed(1e-300), acre::error) << "the capacity exceeds the memory";
  EXPECT_FALSE(map.grow_if_needed(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(map.capacity(), capacity);
  EXPECT_EQ(map.size(), acre::size());
  acre::barrier();
}

TEST(HashMap, RefusesTheKeysOfAHashThatIsNone) {
  crowding_hash::chosen = crowding::one_home;
  crowded map(acre::world(), 5000 * acre::size());
  constexpr std::uint64_t keys = 1100;
  std::uint64_t refused = 0;
  if (acre::rank() == 0) {
    for (std::uint64_t key = 0; key < keys; ++key) {
      try {
        map.insert(key, 1);
      } catch (const acre::error& full) {
        ++refused;
        EXPECT_NE(full.problem().find("full near the bucket of the key"), std::string::npos)
            << full.what();
      }
    }
    EXPECT_EQ(refused, keys - 1024);
  }
  EXPECT_EQ(map.size(), 1024U);
  map.resize(2 * map.capacity());
  EXPECT_EQ(map.size(), 1024U);
  EXPECT_TRUE(map.contains(1023));
  acre::barrier();
}

TEST(HashMap, IsEmptyAfterClear) {
  counts map(acre::world(), 100);
  map.insert(acre::rank(), 1);
  map.clear();
  EXPECT_EQ(map.size(), 0U);
  EXPECT_EQ(map.local_size(), 0U);
  EXPECT_FALSE(map.contains(acre::rank()));
  acre::barrier();
  EXPECT_TRUE(map.insert(1000 + acre::rank(), 1));
  EXPECT_EQ(map.size(), acre::size());
  acre::barrier();
}

TEST(HashMap, MayBeEmptyAndStillBeAsked) {
  counts map(acre::world(), 0);
  EXPECT_EQ(map.size(), 0U);
  EXPECT_FALSE(map.find(1));
  EXPECT_FALSE(map.erase(1));
  map.for_each_local([](auto, auto) { FAIL() << "there is no entry"; });
  acre::barrier();
  EXPECT_GE(map.capacity(), acre::size());
}

TEST(HashMap, MovesWithItsEntries) {
  counts first(acre::world(), 100);
  first.insert(acre::rank(), 5);
  counts second(std::move(first));
  acre::barrier();
  EXPECT_EQ(second.size(), acre::size());
  EXPECT_THROW(first.insert(1, 1), acre::error);  // NOLINT
  EXPECT_THROW(static_cast<void>(counts().find(1)), acre::error);
  counts third(acre::world(), 10);
  third = std::move(second);
  EXPECT_EQ(third.find((acre::rank() + 1) % acre::size()), 5U);
  acre::barrier();
}

TEST(HashMap, IsDestroyedInAnyOrder) {
  auto a = std::make_unique<counts>(acre::world(), 100);
  auto b = std::make_unique<counts>(acre::world(), 200);
  auto c = std::make_unique<counts>(acre::world(), 300);
  c->insert(acre::rank(), 3);
  b.reset();
  counts d(acre::world(), 150);
  a.reset();
  EXPECT_EQ(c->size(), acre::size());
  EXPECT_EQ(d.size(), 0U) << "memory that was another map's is clean";
  c.reset();
  EXPECT_TRUE(d.insert(acre::rank(), 1));
  acre::barrier();
}

TEST(HashMap, LivesOnATeamSmallerThanTheWorld) {
  const acre::team half =
      acre::world().split(static_cast<int>(acre::rank() % 2), -static_cast<int>(acre::rank()));
  const auto other = acre::allocate<std::byte>(64 + 64 * acre::rank());
  counts map(half, 500);
  for (std::uint64_t key = half.rank(); key < 200; key += half.size()) {
    EXPECT_TRUE(map.insert(key, 10 + acre::rank() % 2));
  }
  half.barrier();
  EXPECT_EQ(map.size(), 200U);
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(map.find(key), 10 + acre::rank() % 2);
  map.for_each_local([&](auto key, auto) { EXPECT_EQ(map.owner(key).number(), half.rank()); });
  for (std::uint64_t key = 0; key < 20; ++key) {
    EXPECT_EQ(acre::rpc(map.owner(key), [] { return acre::rank(); }).get(),
              map.owner(key).world_rank());
    EXPECT_EQ(half[map.owner(key).number()], map.owner(key));
  }
  half.barrier();
  map.resize(1000);
  EXPECT_EQ(map.size(), 200U);
  half.barrier();
  acre::deallocate(other);
}

}  // namespace
