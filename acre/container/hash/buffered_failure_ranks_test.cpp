// SPDX-License-Identifier: BSD-3-Clause
// Failures of buffered writers.
#include <acre/base/error.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/chosen_hash_test.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using counts = acre::hash_map<std::uint64_t, std::uint32_t>;

struct angry_at_13 {
  void operator()(std::uint32_t& value, std::uint32_t amount) const {
    value += amount;
    if (amount == 13) throw std::runtime_error("13");
  }
};

TEST(Buffered, ThrowsFromItsDestructorWhatItCannotApply) {
  counts map(acre::world(), 8);
  const auto fill = [&] {
    acre::buffered writer(map, acre::counting);
    for (std::uint64_t key = 0; key < 100 * acre::size(); ++key) writer.add(key);
  };
  EXPECT_THROW(fill(), acre::error);
  acre::barrier();
  acre::buffered writer(map, acre::counting);
  for (std::uint64_t key = 0; key < 100 * acre::size(); ++key) writer.add(key + 1'000'000);
  EXPECT_THROW(writer.flush(), acre::error);
  EXPECT_GT(writer.refused(), 0U);
  writer.discard_refused();
  EXPECT_EQ(writer.refused(), 0U);
}

TEST(Buffered, SaysThatItsMapHasEndedBefore) {
  const auto outlive = [](std::uint64_t items) {
    auto map = std::make_unique<counts>(acre::world(), 100'000);
    acre::buffered writer(*map, acre::counting);
    for (std::uint64_t key = 0; key < items; ++key) writer.add(key);
    map.reset();
  };
  EXPECT_NO_THROW(outlive(0));
  EXPECT_THROW(outlive(20'000), acre::error);
  acre::barrier();
}

TEST(Buffered, TakesNothingMoreIntoABinThatCannotBeDelivered) {
  const std::uint64_t places = acre::size() * (8U << 10) / sizeof(std::uint64_t);
  const std::uint64_t keys = places + 500;
  std::uint64_t kept = 0;
  std::uint64_t errors = 0;
  const auto outlive = [&] {
    auto map = std::make_unique<counts>(acre::world(), 1000);
    acre::buffered writer(*map, acre::counting);
    map.reset();
    for (std::uint64_t key = 0; key < keys; ++key) {
      try {
        writer.add(key);
        ++kept;
      } catch (const acre::error&) {
        ++errors;
      }
    }
  };
  EXPECT_THROW(outlive(), acre::error);
  EXPECT_LE(kept, places);
  EXPECT_EQ(kept + errors, keys);
  acre::barrier();
}

TEST(Buffered, ThrowsOnAllMembersWhenOneCannotGrow) {
  counts map(acre::world(), 1000);
  acre::buffered writer(map, acre::updating<std::uint32_t>(angry_at_13{}));
  const bool unlucky = acre::rank() == acre::size() - 1;
  for (std::uint64_t key = 0; key < 50; ++key) writer.update(key, unlucky && key == 7 ? 13 : 1);
  try {
    writer.flush_and_grow();
    ADD_FAILURE() << "the item at which user code threw is forgotten";
  } catch (const acre::error& failure) {
    EXPECT_NE(std::string(failure.what()).find(unlucky ? "user code" : "another member"),
              std::string::npos)
        << failure.what();
  }
  EXPECT_EQ(writer.refused(), unlucky ? 1U : 0U);
  writer.discard_refused();
  writer.flush_and_grow();
  EXPECT_EQ(map.size(), acre::size() == 1 ? 49U : 50U);
  EXPECT_THROW(writer.flush_and_grow(std::numeric_limits<double>::quiet_NaN()), acre::error);
  acre::barrier();
}

TEST(Buffered, SaysThatAHashIsBadInsteadOfGrowingForEver) {
  acre::testing::crowding_hash::chosen = acre::testing::crowding::one_home;
  acre::testing::crowded map(acre::world(), 3000 * acre::size());
  acre::buffered writer(map, acre::counting);
  for (std::uint64_t key = 0; acre::rank() == 0 && key < 1050; ++key) writer.add(key);
  try {
    writer.flush_and_grow();
    ADD_FAILURE() << "1050 keys are within 1024 buckets";
  } catch (const acre::error& crowded) {
    EXPECT_NE(std::string(crowded.what()).find("hash"), std::string::npos) << crowded.what();
  }
  EXPECT_LE(map.capacity(), 6000 * acre::size());
  EXPECT_EQ(map.size(), 1024U);
  writer.discard_refused();
  acre::barrier();
}

TEST(Buffered, SpendsLittleOnAnItemThatFindsNoRoom) {
  counts map(acre::world(), 4000 * acre::size());
  constexpr std::uint64_t keys = 6000;
  acre::buffered writer(map, acre::counting);
  acre::barrier();
  const auto before = acre::counters();
  for (std::uint64_t key = 0; key < keys; ++key) writer.add(key * acre::size() + acre::rank());
  bool full = false;
  try {
    writer.flush();
  } catch (const acre::error&) {
    full = true;
  }
  const auto spent = acre::counters() - before;
  EXPECT_TRUE(acre::world().allreduce(full, acre::op::logical_or));
  EXPECT_LT(spent.reads, keys * 3 * 1024);
  EXPECT_GT(map.size(), 3200 * acre::size()) << "and the map is full";
  writer.flush_and_grow();
  EXPECT_EQ(map.size(), keys * acre::size());
  EXPECT_LE(map.load_factor(), 0.75);
  acre::barrier();
}

TEST(Buffered, GivesBackItemsThatNoMessageCarries) {
  acre::hash_map<int, std::array<int, 10'000>> map(acre::world(), 1);
  const std::array<int, 10'000> value{7};
  {
    acre::buffered writer(map, acre::assigning);
    for (int key = 0; key < 10; ++key) writer.assign(key, value);
    writer.flush_and_grow();
  }
  for (int key = 0; key < 10; ++key) EXPECT_EQ(map.find(key), value);
  acre::barrier();
}

TEST(Buffered, KeepsTheItemsAtWhichUserCodeThrows) {
  counts map(acre::world(), 1000);
  acre::buffered writer(map, acre::updating<std::uint32_t>(angry_at_13{}));
  for (std::uint64_t key = 0; key < 100; ++key) writer.update(key, key % 10 == 0 ? 13 : 1);
  EXPECT_THROW(writer.flush(), acre::error);
  EXPECT_EQ(writer.refused(), 10U);
  writer.discard_refused();
  writer.flush();
  acre::barrier();
  EXPECT_EQ(map.size(), 90U);
  for (const auto& [key, sum] : map.local()) EXPECT_EQ(sum, acre::size()) << key;
  acre::barrier();
}

TEST(Buffered, FlushesWhenAnExceptionPasses) {
  counts map(acre::world(), 1000);
  try {
    acre::buffered writer(map, acre::counting);
    for (std::uint64_t key = 0; key < 100; ++key) writer.add(key);
    throw std::runtime_error("passes");
  } catch (const std::runtime_error& passed) {
    EXPECT_STREQ(passed.what(), "passes");
  }
  acre::barrier();
  EXPECT_EQ(map.find(99), acre::size());
  acre::barrier();
}

}  // namespace
