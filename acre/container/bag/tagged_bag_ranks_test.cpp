// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/bag/tagged_bag.hpp>
#include <acre/container/cost_test.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using acre::tagged_bag;
using acre::testing::cost;
using acre::testing::costs;

std::string text_of(acre::rank_t rank, int i) {
  return std::to_string(rank) + std::string(static_cast<std::size_t>(i % 40), '.') +
         std::to_string(i);
}

TEST(TaggedBagSmoke, AnyRankFindsEachElementByItsTag) {
  tagged_bag<std::string> texts(acre::world());
  constexpr int count = 300;
  std::vector<std::uint64_t> tags;
  for (int i = 0; i < count; ++i) tags.push_back(texts.insert(text_of(acre::rank(), i)));
  EXPECT_EQ(texts.local_size(), static_cast<std::uint64_t>(count));
  const auto all = acre::world().allgather(std::span<const std::uint64_t>(tags));
  auto different = all;
  std::ranges::sort(different);
  EXPECT_EQ(std::ranges::adjacent_find(different), different.end());
  const auto found = texts.find_many(all);
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    for (int i = 0; i < count; ++i) {
      const std::size_t at = rank * count + static_cast<std::size_t>(i);
      EXPECT_EQ(texts.owner(all[at]).number(), rank);
      ASSERT_EQ(found[at], text_of(rank, i));
      if (i % 29 != 0) continue;
      EXPECT_EQ(texts.find(all[at]), text_of(rank, i));
      EXPECT_EQ(texts.find_async(all[at]).get(), text_of(rank, i));
    }
  }
  EXPECT_EQ(texts.size(), static_cast<std::uint64_t>(count) * acre::size());
}

TEST(TaggedBag, OneOfConcurrentErasuresSucceeds) {
  tagged_bag<int> numbers(acre::world());
  std::vector<std::uint64_t> tags;
  for (int i = 0; i < 100; ++i) tags.push_back(numbers.insert(i));
  const auto all = acre::world().allgather(std::span<const std::uint64_t>(tags));
  std::size_t erased = 0;
  for (const std::uint64_t tag : all) erased += numbers.erase(tag) ? 1 : 0;
  EXPECT_EQ(acre::world().allreduce(erased), all.size());
  EXPECT_EQ(numbers.size(), 0U);
  for (const std::uint64_t tag : all) EXPECT_FALSE(numbers.contains(tag));
  // Tags are not used again.
  acre::barrier();
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t tag = numbers.insert(i);
    EXPECT_EQ(std::ranges::count(all, tag), 0);
  }
  numbers.clear();
  EXPECT_EQ(numbers.local_size(), 0U);
  EXPECT_EQ(std::ranges::count(all, numbers.insert(1)), 0);
  acre::barrier();
}

TEST(TaggedBag, ThreadsInsertConcurrently) {
  tagged_bag<int> numbers(acre::world());
  std::vector<std::vector<std::uint64_t>> tags(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : tags) {
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) mine.push_back(numbers.insert(i));
      });
    }
  }
  for (const auto& mine : tags) {
    for (int i = 0; i < 200; ++i) ASSERT_EQ(numbers.find(mine[static_cast<std::size_t>(i)]), i);
  }
  EXPECT_EQ(numbers.size(), 800U * acre::size());
}

TEST(TaggedBag, LocalElementsAreThoseInsertedHere) {
  tagged_bag<int> numbers(acre::world(), 10);
  std::map<std::uint64_t, int> model;
  for (int i = 0; i < 500; ++i) model[numbers.insert(i)] = i;  // beyond the capacity
  std::map<std::uint64_t, int> seen;
  for (const auto& [tag, number] : numbers.local()) seen[tag] = number;
  EXPECT_EQ(seen, model);
  seen.clear();
  numbers.for_each_local([&](std::uint64_t tag, int number) { seen[tag] = number; });
  EXPECT_EQ(seen, model);
  tagged_bag<int> moved = std::move(numbers);
  EXPECT_EQ(moved.find(model.begin()->first), model.begin()->second);
  EXPECT_FALSE(numbers);
  EXPECT_THROW(static_cast<void>(numbers.local_size()), acre::error);
}

TEST(TaggedBag, CostsAsDocumented) {
  tagged_bag<int> numbers(acre::world(), 1000);
  std::uint64_t tag = 0;
  EXPECT_EQ(cost([&] { tag = numbers.insert(7); }), costs({0, 1, 1, 0}));
  const auto tags = acre::world().allgather(tag);
  const std::uint64_t other = tags[(acre::rank() + 1) % acre::size()];
  const acre::rank_t owner = numbers.owner(other).world_rank();
  const bool is_near = acre::runtime::node_of(owner) == acre::runtime::node_of(acre::rank());
  const costs message{0, 0, 0, 1};
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn, acre::barrier()) {
    if (acre::rank() != turn) continue;  // answers are messages, too
    EXPECT_EQ(cost([&] { EXPECT_EQ(numbers.find(other), 7); }),
              is_near ? costs({1, 0, 0, 0}) : message);
    EXPECT_EQ(cost([&] { EXPECT_TRUE(numbers.erase(other)); }),
              is_near ? costs({1, 0, 1, 0}) : message);
  }
}

}  // namespace
