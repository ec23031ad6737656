// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/algorithm/elements.hpp>
#include <acre/container/bag/tagged_bag.hpp>
#include <acre/ordered.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using map_type = acre::hash_map<std::string, std::uint64_t>;
using entry = std::pair<std::string, std::uint64_t>;

static_assert(acre::ranges::distributed_container<map_type>);
static_assert(acre::ranges::distributed_container<const acre::hash_set<int>&>);
static_assert(acre::ranges::distributed_container<acre::counting_map<int>>);
static_assert(acre::ranges::distributed_container<acre::hash_multimap<int, std::string>>);
static_assert(acre::ranges::distributed_container<acre::circular_queue<std::string>>);
static_assert(acre::ranges::distributed_container<acre::fast_queue<int>>);
static_assert(acre::ranges::distributed_container<acre::sorted_map<int, std::string>>);
static_assert(acre::ranges::distributed_container<const acre::priority_queue<std::string>>);
static_assert(acre::ranges::distributed_container<acre::deque<int>>);
static_assert(acre::ranges::distributed_container<acre::bag<std::string>>);
static_assert(acre::ranges::distributed_container<acre::tagged_bag<int>>);
static_assert(!acre::ranges::distributed_container<acre::array<int>>);

map_type numbered(std::uint64_t entries) {
  map_type map(acre::world(), 2 * entries + acre::size());
  for (std::uint64_t i = acre::rank(); i < entries; i += acre::size()) {
    map.insert(std::to_string(i), i);
  }
  acre::barrier();
  return map;
}

TEST(ElementsSmoke, ReducesAndCountsTheEntriesOfAMap) {
  const map_type map = numbered(200);
  EXPECT_EQ(acre::count_if_on_all(map, [](const entry& each) { return each.second % 4 == 0; }),
            50U);
  EXPECT_EQ(acre::transform_reduce_on_all(map, std::uint64_t{5}, acre::op::sum,
                                          [](const entry& each) { return each.second; }),
            5U + 199U * 100);
  EXPECT_EQ(acre::transform_reduce_on_all(map, std::uint64_t{0}, acre::op::max,
                                          [](const entry& each) { return each.first.size(); }),
            3U);
  EXPECT_TRUE(acre::all_of_on_all(
      map, [](const entry& each) { return each.first == std::to_string(each.second); }));
  EXPECT_TRUE(acre::any_of_on_all(map, [](const entry& each) { return each.first == "7"; }));
  EXPECT_TRUE(acre::none_of_on_all(map, [](const entry& each) { return each.second >= 200; }));
  EXPECT_EQ(acre::count_on_all(map, entry{"7", 7}), 1U);
  EXPECT_EQ(acre::count_on_all(map, entry{"7", 8}), 0U);
}

TEST(Elements, VisitsEachEntryOnceOnItsOwner) {
  map_type map = numbered(100);
  acre::counting_map<std::string> seen(acre::world(), 400);
  acre::for_each(map, [&](const entry& each) {
    EXPECT_TRUE(map.owner(each.first).is_this_rank());
    seen.add(each.first);
  });
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_TRUE(acre::all_of_on_all(seen, [](const auto& each) { return each.second == 1; }));
  acre::for_each(map, [&](const entry& each) { map.insert_or_assign(each.first, 1); });
  EXPECT_EQ(acre::transform_reduce_on_all(map, std::uint64_t{0}, acre::op::sum,
                                          [](const entry& each) { return each.second; }),
            100U);
}

TEST(Elements, TakesAllContainers) {
  acre::hash_set<std::uint64_t> set(acre::world(), 500);
  acre::hash_multimap<std::uint64_t, std::uint64_t> multimap(acre::world(), 500);
  const acre::hosted_by last{acre::size() - 1};
  acre::circular_queue<std::string> texts(acre::world(), last, 100);
  acre::fast_queue<std::uint64_t> numbers(acre::world(), last, 100);
  if (acre::rank() == 0) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      set.insert(i);
      multimap.insert(i % 5, i);
      texts.push(std::to_string(i));
      numbers.push(i);
    }
  }
  acre::barrier();
  EXPECT_EQ(acre::reduce_on_all(set), 49U * 25);
  EXPECT_EQ(acre::reduce_on_all(set, 7, acre::op::max), 49U);
  EXPECT_EQ(acre::count_on_all(set, 7), 1U);
  EXPECT_EQ(acre::count_if_on_all(multimap, [](const auto& each) { return each.first == 3; }), 10U);
  EXPECT_TRUE(acre::all_of_on_all(multimap,
                                  [](const auto& each) { return each.second % 5 == each.first; }));
  EXPECT_EQ(acre::reduce_on_all(numbers), 49U * 25);
  EXPECT_EQ(acre::count_if_on_all(texts, [](const std::string& each) { return each.size() == 1; }),
            10U);
  EXPECT_EQ(acre::count_on_all(texts, "49"), 1U);
}

TEST(Elements, TakesOrderedContainersAndBags) {
  acre::sorted_map<std::uint64_t, std::string> map(acre::world());
  acre::priority_queue<std::uint64_t> queue(acre::world());
  acre::deque<std::uint64_t> deque(acre::world(), acre::hosted_by{acre::size() - 1});
  acre::bag<std::string> bag(acre::world());
  acre::tagged_bag<std::uint64_t> tagged(acre::world());
  if (acre::rank() == 0) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      map.insert(i, std::to_string(i));
      queue.push(static_cast<acre::rank_t>(i % acre::size()), i);
      deque.push_back(i);
      bag.insert(std::to_string(i));
      tagged.insert(i);
    }
  }
  acre::barrier();
  map.rebalance();
  EXPECT_EQ(acre::transform_reduce_on_all(map, std::uint64_t{0}, acre::op::sum,
                                          [](const auto& each) { return each.first; }),
            49U * 25);
  EXPECT_EQ(acre::reduce_on_all(queue), 49U * 25);
  EXPECT_EQ(acre::reduce_on_all(deque, 0, acre::op::max), 49U);
  EXPECT_EQ(acre::count_on_all(bag, "49"), 1U);
  EXPECT_EQ(acre::count_if_on_all(tagged, [](const auto& each) { return each.second < 7; }), 7U);
  std::uint64_t seen = 0;
  acre::for_each(map, [&](const auto& each) {
    EXPECT_TRUE(map.owner(each.first).is_this_rank());
    ++seen;
  });
  acre::for_each(bag, [&](const std::string&) { ++seen; });
  EXPECT_EQ(acre::world().allreduce(seen), 100U);
}

TEST(Elements, HandlesEmptyContainers) {
  acre::hash_set<std::uint64_t> set(acre::world(), 5);
  EXPECT_EQ(acre::reduce_on_all(set, 3), 3U);
  EXPECT_TRUE(acre::all_of_on_all(set, [](std::uint64_t) { return false; }));
  EXPECT_FALSE(acre::any_of_on_all(set, [](std::uint64_t) { return true; }));
}

TEST(Elements, ThrowsOnAllMembersIfAFunctionThrowsOnOne) {
  const map_type map = numbered(50);
  EXPECT_ANY_THROW(static_cast<void>(acre::count_if_on_all(map, [](const entry& each) {
    if (each.second == 7) throw std::runtime_error("7");
    return true;
  })));
  EXPECT_EQ(acre::count_if_on_all(map, [](const entry&) { return true; }), 50U);
}

}  // namespace
