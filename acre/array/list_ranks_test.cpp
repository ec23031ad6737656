// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/list.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/view/ranges.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::list;

static_assert(acre::ranges::distributed_range<list<int>>);

std::vector<int> gathered(const acre::team& members, const std::vector<int>& mine) {
  std::vector<int> all;
  for (const auto& each : members.allgatherv(std::span(mine))) {
    all.insert(all.end(), each.begin(), each.end());
  }
  return all;
}

void expect_same(list<int>& actual, const std::vector<int>& mine) {
  EXPECT_TRUE(std::ranges::equal(actual.local(), mine));
  const std::vector<int> all = gathered(actual.members(), mine);
  ASSERT_EQ(actual.size(), all.size());
  EXPECT_TRUE(std::ranges::equal(actual, all));
  std::size_t index = 0;
  for (const auto& segment : acre::ranges::segments(actual)) {
    for (std::size_t i = 0; i < segment.size(); ++i) EXPECT_EQ(segment[i], all[index++]);
  }
  EXPECT_EQ(index, all.size());
  if (!all.empty()) {
    EXPECT_EQ(actual[all.size() - 1], all.back());
  }
  actual.members().barrier();
}

TEST(ListSmoke, ShowsAllWhatEachHasAdded) {
  list<int> numbers(acre::world());
  expect_same(numbers, {});
  std::vector<int> mine;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; acre::rank() + 1 != acre::size() && i < 10 * round; ++i) {
      mine.push_back(i + 100 * static_cast<int>(acre::rank()));
      numbers.push_back(mine.back());
    }
    numbers.commit();
    EXPECT_EQ(numbers.pending(), 0U);
    expect_same(numbers, mine);
  }
}

TEST(List, IsWhatAModelIs) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  list<int> actual(half);
  std::minstd_rand draw(acre::rank() + 11);
  std::vector<int> model;
  for (int round = 0; round < 12; ++round) {
    std::vector<int> next;
    std::vector<bool> erased(model.size());
    std::vector<std::vector<int>> inserted(model.size() + 1);
    for (int step = static_cast<int>(draw() % 8); step > 0; --step) {
      const int value = static_cast<int>(draw() % 1000);
      const std::size_t place = draw() % (model.size() + 1);
      switch (draw() % 4) {
        case 0:
          if (place == model.size()) break;
          actual.erase(place);
          erased[place] = true;
          break;
        case 1:
          actual.insert(place, value);
          inserted[place].push_back(value);
          break;
        default:
          actual.emplace_back(value);
          next.push_back(value);
      }
    }
    std::vector<int> now;
    for (std::size_t i = 0; i <= model.size(); ++i) {
      now.insert(now.end(), inserted[i].begin(), inserted[i].end());
      if (i < model.size() && !erased[i]) now.push_back(model[i]);
    }
    now.insert(now.end(), next.begin(), next.end());
    if (round % 3 == 2) {
      actual.erase_if([](int x) { return x % 3 == 0; });
      std::erase_if(now, [](int x) { return x % 3 == 0; });
    }
    model = std::move(now);
    actual.commit();
    expect_same(actual, model);
  }
  actual.clear();
  actual.commit();
  expect_same(actual, {});
}

TEST(List, StaysAsItWasUntilTheNextCommit) {
  list<int> numbers(acre::world());
  numbers.append(std::vector<int>{1, 2, 3});
  numbers.commit();
  const auto where = numbers.pointer(0);
  numbers.push_back(4);
  numbers.erase(0);
  numbers[numbers.size() - 1] = 9;
  acre::barrier();
  EXPECT_EQ(numbers.size(), 3U * acre::size());
  EXPECT_EQ(numbers.local()[0], 1);
  EXPECT_EQ(numbers.pending(), 1U);
  EXPECT_EQ(numbers.pointer(0), where);
  numbers.commit();
  EXPECT_EQ(numbers.size(), 3U * acre::size());
  EXPECT_EQ(numbers.local()[0], 2);
  EXPECT_EQ(numbers.local()[1], acre::rank() + 1 == acre::size() ? 9 : 3);
  EXPECT_EQ(numbers.local()[2], 4);
}

TEST(List, AddsWithoutAWordAndCommitsWithOneBarrierAndOneAllgather) {
  list<int> numbers(acre::world());
  auto before = acre::counters();
  for (int i = 0; i < 1000; ++i) numbers.push_back(i);
  auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads + spent.writes + spent.atomics + spent.messages + spent.barriers, 0U);
  before = acre::counters();
  numbers.commit();
  spent = acre::counters() - before;
  EXPECT_EQ(spent.barriers, 1U);
  EXPECT_EQ(spent.collectives, 1U);
  acre::barrier();
}

TEST(List, LeavesNothingBehindAndMoves) {
  const auto before = acre::runtime::segment_free().private_part;
  {
    list<std::uint64_t> a(acre::world());
    list<std::uint64_t> b(acre::world());
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 100; ++i) b.push_back(7);
      b.commit();
    }
    a = std::move(b);
    EXPECT_EQ(a.size(), 500U * acre::size());
    EXPECT_EQ(b.size(), 0U);  // NOLINT: a moved-from list is an empty one
    EXPECT_THROW(b.push_back(1), acre::error);
    acre::barrier();
  }
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
}

TEST(List, TakesNoMoreRoomWhereItDoesNotGrow) {
  const auto before = acre::runtime::segment_free().private_part;
  {
    list<std::uint64_t> numbers(acre::world());
    for (std::uint64_t i = 0; i < 1000; ++i) numbers.push_back(i);
    numbers.commit();
    for (std::uint64_t round = 0; round < 40; ++round) {
      numbers.erase(0);
      numbers.push_back(1000 + round);
      numbers.commit();
      const auto taken = before - acre::runtime::segment_free().private_part;
      ASSERT_LE(taken, 4 * 1000 * sizeof(std::uint64_t)) << round;
    }
    EXPECT_EQ(numbers.local()[0], 40U);
    EXPECT_EQ(numbers.local()[999], 1039U);
  }
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
}

TEST(List, FailsOnAllWhenOneHasNoRoomAndStaysAsItWas) {
  list<int> numbers(acre::world());
  numbers.push_back(1);
  numbers.commit();
  {
    void* most = nullptr;
    const auto free = acre::runtime::segment_free().private_part;
    if (acre::rank() + 1 == acre::size()) most = acre::runtime::allocate_private(free - (1 << 20));
    for (int i = 0; i < 1 << 20; ++i) numbers.push_back(i);
    EXPECT_THROW(numbers.commit(), acre::error);
    EXPECT_EQ(numbers.size(), acre::size());
    EXPECT_EQ(numbers.pending(), std::size_t{1} << 20);
    acre::barrier();
    acre::runtime::free_private(most);
  }
  numbers.commit();
  EXPECT_EQ(numbers.size(), acre::size() * ((std::size_t{1} << 20) + 1));
  EXPECT_THROW(numbers.insert(numbers.local().size() + 1, 1), acre::error);
  EXPECT_THROW(numbers.erase(numbers.local().size()), acre::error);
  acre::barrier();
}

TEST(List, SaysThatItWasNotMade) {
  list<int> none;
  EXPECT_EQ(none.size(), 0U);
  try {
    none.push_back(1);
    FAIL() << "an empty handle was accepted";
  } catch (const acre::error& said) {
    EXPECT_NE(said.problem().find("the list does not exist:"), std::string::npos) << said.what();
  }
}

TEST(List, FailsOnAllWhenOneCannotEraseForWantOfRoom) {
  constexpr std::size_t each = std::size_t{1} << 19;
  list<int> numbers(acre::world());
  for (std::size_t i = 0; i < each; ++i) numbers.push_back(static_cast<int>(i));
  numbers.commit();
  numbers.erase(0);
  numbers.insert(2, -1);
  numbers.erase(3);
  void* most = nullptr;
  const auto free = acre::runtime::segment_free().private_part;
  if (acre::rank() + 1 == acre::size()) most = acre::runtime::allocate_private(free - (1 << 20));
  EXPECT_THROW(numbers.commit(), acre::error);
  EXPECT_EQ(numbers.size(), each * acre::size());
  EXPECT_EQ(numbers.local()[0], 0);
  acre::barrier();
  acre::runtime::free_private(most);
  numbers.commit();
  EXPECT_EQ(numbers.size(), (each - 1) * acre::size());
  EXPECT_EQ(numbers.local()[0], 1);
  EXPECT_EQ(numbers.local()[1], -1);
  EXPECT_EQ(numbers.local()[2], 2);
  EXPECT_EQ(numbers.local()[3], 4);
  acre::barrier();
}

}  // namespace
