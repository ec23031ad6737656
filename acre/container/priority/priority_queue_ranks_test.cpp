// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/cost_test.hpp>
#include <acre/container/priority/priority_queue.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/progress.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::testing::common_seed;
using acre::testing::cost;
using acre::testing::costs;
using acre::testing::steps;
using numbers = acre::priority_queue<std::uint64_t>;

std::vector<std::uint64_t> together(const std::vector<std::uint64_t>& mine) {
  std::vector<std::uint64_t> all;
  for (const auto& each : acre::world().allgather(mine)) {
    all.insert(all.end(), each.begin(), each.end());
  }
  std::ranges::sort(all);
  return all;
}

std::vector<std::uint64_t> first_numbers(std::uint64_t count) {
  std::vector<std::uint64_t> all(count);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

TEST(PriorityQueueSmoke, ReturnsEachValueOnce) {
  numbers queue(acre::world());
  for (std::uint64_t i = 0; i < 100; ++i) {
    queue.push(static_cast<acre::rank_t>(i % acre::size()), 100 * acre::rank() + i);
  }
  EXPECT_EQ(queue.size(), 100 * acre::size());
  EXPECT_EQ(queue.least(), 0U);
  std::vector<std::uint64_t> mine;
  while (const auto value = queue.pop()) mine.push_back(*value);
  acre::barrier();
  while (const auto value = queue.pop()) mine.push_back(*value);
  EXPECT_EQ(together(mine), first_numbers(100 * acre::size()));
  EXPECT_EQ(queue.size(), 0U);
  EXPECT_EQ(queue.least(), std::nullopt);
}

TEST(PriorityQueue, IsExactOnARank) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  numbers queue(acre::world());
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> model;
  for (int i = 0; i < 5000; ++i) {
    if (random() % 5 < 3) {
      const std::uint64_t value = random() % 1000;
      queue.push(value);
      model.push(value);
    } else if (model.empty()) {
      ASSERT_EQ(queue.pop_local(), std::nullopt);
    } else {
      ASSERT_EQ(queue.peek_local(), model.top());
      ASSERT_EQ(queue.pop_local(), model.top());
      model.pop();
    }
    ASSERT_EQ(queue.local_size(), model.size());
  }
  std::vector<std::uint64_t> visited;
  queue.for_each_local([&](std::uint64_t value) { visited.push_back(value); });
  std::ranges::sort(visited);
  ASSERT_EQ(visited.size(), model.size());
  for (auto rest = model; !rest.empty(); rest.pop()) {
    ASSERT_EQ(visited[model.size() - rest.size()], rest.top());
  }
  for (; !model.empty(); model.pop()) ASSERT_EQ(queue.pop_local(), model.top());
  acre::barrier();
}

struct task {
  std::string name;
  std::uint32_t urgency = 0;
  friend auto acre_fields(task& t) { return std::tie(t.name, t.urgency); }
};
struct most_urgent_first {
  bool operator()(const task& a, const task& b) const { return a.urgency > b.urgency; }
};

TEST(PriorityQueue, TakesValuesOfAnyType) {
  acre::priority_queue<task, most_urgent_first> queue(acre::world());
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  for (std::uint32_t i = 0; i < 40; ++i) {
    queue.push(next, {std::string(i * 100, 'x'), i});
  }
  queue.push(next, {std::string(100'000, 'y'), 50});
  EXPECT_EQ(queue.least()->urgency, 50U);
  EXPECT_EQ(queue.pop_local()->name.size(), 100'000U);
  for (std::uint32_t i = 40; i-- > 0;) {
    const auto popped = queue.pop_local();
    ASSERT_TRUE(popped);
    EXPECT_EQ(popped->urgency, i);
    EXPECT_EQ(popped->name, std::string(i * 100, 'x'));
  }
  EXPECT_FALSE(queue.pop_local());
  acre::barrier();
  if (acre::rank() == 0) {
    queue.push({std::string(100'000, 'z'), 1});
    queue.push({std::string(100'000, 'z'), 2});
    queue.push({"short", 3});
  }
  std::uint64_t popped = 0;
  queue.work([&](task&& each, auto&) {
    EXPECT_EQ(each.name.size(), each.urgency == 3 ? 5U : 100'000U);
    ++popped;
  });
  EXPECT_EQ(acre::world().allreduce(popped), 3U);
}

TEST(PriorityQueue, StealsTheLeastHalf) {
  numbers queue(acre::world());
  if (acre::rank() == 0) {
    for (std::uint64_t i = 20; i-- > 0;) queue.push(i);
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_EQ(queue.pop(), 0U);
    EXPECT_EQ(queue.local_size(), acre::size() == 1 ? 19U : 9U);
    EXPECT_EQ(queue.pop(), 1U);
  }
  acre::barrier();
  if (acre::size() > 1 && acre::rank() == 0) {
    EXPECT_EQ(queue.local_size(), 10U);
    EXPECT_EQ(queue.pop(), 10U);
  }
  acre::barrier();
}

void work_on_a_tree(std::uint64_t count, bool spreads, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  numbers queue(acre::world());
  if (count != 0 && acre::rank() == acre::size() / 2) queue.push(0);
  std::vector<std::uint64_t> mine;
  queue.work([&](std::uint64_t value, auto& more) {
    mine.push_back(value);
    for (const std::uint64_t child : {2 * value + 1, 2 * value + 2}) {
      if (child >= count) continue;
      switch (spreads ? random() % 4 : 0) {
        case 0:
          more.push(child);
          break;
        case 1:
          queue.push(static_cast<acre::rank_t>(random() % acre::size()), child);
          break;
        default:
          more.push(static_cast<acre::rank_t>(random() % acre::size()), child);
      }
    }
  });
  EXPECT_EQ(queue.local_size(), 0U);
  EXPECT_EQ(together(mine), first_numbers(count));
}

TEST(PriorityQueue, WorksUntilNoValueIsLeft) {
  const std::uint64_t seed = common_seed();
  work_on_a_tree(0, false, seed);
  work_on_a_tree(1, false, seed);
  for (std::uint64_t i = 0; i < 3; ++i) {
    work_on_a_tree(300, false, seed + 10 * i);
    work_on_a_tree(300, true, seed + 10 * i + 5);
  }
}

TEST(PriorityQueueAtLength, WorksUntilNoValueIsLeft) {
  const std::uint64_t seed = common_seed();
  for (std::uint64_t i = 0; i < 20; ++i) {
    work_on_a_tree(static_cast<std::uint64_t>(steps(20'000)), false, seed + 100 * i);
    work_on_a_tree(static_cast<std::uint64_t>(steps(20'000)), true, seed + 100 * i + 50);
  }
}

TEST(PriorityQueue, HandsOutOnlyValuesBeforeABound) {
  numbers queue(acre::world());
  for (std::uint64_t i = acre::rank(); i < 300; i += acre::size()) queue.push(i);
  std::vector<std::uint64_t> all;
  for (std::uint64_t bound = 0; bound <= 400; bound += 100) {
    std::vector<std::uint64_t> mine;
    queue.work_before(bound, [&](std::uint64_t value, auto& more) {
      EXPECT_LT(value, bound);
      EXPECT_GE(value + 100, bound);
      mine.push_back(value);
      if (value < 300) more.push((acre::rank() + 1) % acre::size(), value + 300);
      if (value % 50 == 0 && value < 300) more.push(acre::rank(), value + 49);
    });
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::vector<std::uint64_t> expected = first_numbers(400);
  for (std::uint64_t i = 49; i < 300; i += 50) {
    expected.push_back(i);
    if (i + 300 < 400) expected.push_back(i + 300);
  }
  std::ranges::sort(expected);
  EXPECT_EQ(together(all), expected);
  EXPECT_EQ(queue.size(), 300 + 6 - (expected.size() - 300 - 6));
  EXPECT_EQ(queue.least(), 400U);
  queue.clear();
  EXPECT_EQ(queue.least(), std::nullopt);
}

TEST(PriorityQueue, NeitherLosesNorDoublesValues) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  numbers queue(acre::world());
  const auto values = static_cast<std::uint64_t>(steps(1500));
  std::vector<std::uint64_t> mine;
  for (std::uint64_t pushed = 0; pushed < values;) {
    if (random() % 2 == 0) {
      queue.push(static_cast<acre::rank_t>(random() % acre::size()),
                 pushed++ * acre::size() + acre::rank());
    } else if (const auto value = queue.pop()) {
      mine.push_back(*value);
    }
  }
  acre::barrier();
  queue.work([&](std::uint64_t value, auto&) { mine.push_back(value); });
  EXPECT_EQ(together(mine), first_numbers(values * acre::size()));
}

TEST(PriorityQueue, StealsFromAMemberThatComputes) {
  if (acre::size() == 1) GTEST_SKIP() << "one rank steals from no other";
  numbers queue(acre::world());
  if (acre::rank() == 0) {
    for (std::uint64_t i = 0; i < 10; ++i) queue.push(i);
  }
  acre::barrier();
  if (acre::rank() == 1) {
    EXPECT_EQ(queue.pop(), 0U);
  } else if (acre::rank() == 0) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (queue.local_size() != 5 && std::chrono::steady_clock::now() < give_up) {
    }
    EXPECT_EQ(queue.local_size(), 5U);
  }
  acre::barrier();
}

TEST(PriorityQueue, EndsOnAllMembersWhenAFunctionThrows) {
  numbers queue(acre::world());
  for (std::uint64_t i = 0; i < 50; ++i) queue.push(100 * acre::rank() + i);
  std::uint64_t mine = 0;
  const auto run = [&] {
    queue.work([&](std::uint64_t value, auto& more) {
      if (value == 17) {
        for (std::uint64_t i = 0; i < 3; ++i) more.push(acre::size() - 1, 1'000'000 + i);
        throw std::runtime_error("an unlucky value");
      }
      ++mine;
    });
  };
  EXPECT_ANY_THROW(run());
  acre::barrier();
  const std::uint64_t left = queue.size();
  EXPECT_EQ(acre::world().allreduce(mine) + left, 50 * acre::size() + 2);
  run();
  EXPECT_EQ(acre::world().allreduce(mine), 50 * acre::size() + 2);
}

struct disturbed {
  static inline std::atomic<bool> throws = false;
  bool operator()(std::uint64_t a, std::uint64_t b) const {
    if (throws) throw std::runtime_error("a disturbed order");
    return a < b;
  }
};

TEST(PriorityQueue, ChangesNothingWhenAComparisonThrows) {
  acre::priority_queue<std::uint64_t, disturbed> queue(acre::world());
  for (std::uint64_t i = 20; i-- > 0;) queue.push(i);
  disturbed::throws = true;
  EXPECT_THROW(queue.push(3), std::runtime_error);
  EXPECT_THROW(static_cast<void>(queue.pop_local()), std::runtime_error);
  disturbed::throws = false;
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(queue.pop_local(), i);
  acre::barrier();
}

/// Fails after a number of comparisons in this process, and at one value.
struct failing_order {
  static inline std::atomic<int> left = 1'000'000'000;
  static inline std::atomic<std::uint64_t> refused = ~std::uint64_t{0};
  bool operator()(std::uint64_t a, std::uint64_t b) const {
    if (left.fetch_sub(1) <= 0) throw std::runtime_error("no comparison left");
    if (a == refused || b == refused) throw std::runtime_error("a refused value");
    return a < b;
  }
  static void repair() {
    left = 1'000'000'000;
    refused = ~std::uint64_t{0};
  }
};
using fragile_numbers = acre::priority_queue<std::uint64_t, failing_order>;

TEST(PriorityQueue, LosesNoValueWhenAComparisonThrowsInASteal) {
  fragile_numbers queue(acre::world());
  for (int comparisons = 0; comparisons < 60; ++comparisons) {
    if (acre::rank() == 0) {
      for (std::uint64_t i = 20; i-- > 0;) queue.push(i);
    }
    acre::barrier();
    failing_order::left = comparisons;
    acre::barrier();
    std::vector<std::uint64_t> mine;
    if (acre::rank() == acre::size() - 1) {
      try {
        if (const auto value = queue.pop()) mine.push_back(*value);
      } catch (const std::exception&) {
        // Of the value that was asked for.
      }
    }
    acre::barrier();
    failing_order::repair();
    acre::barrier();
    queue.work([&](std::uint64_t value, auto&) { mine.push_back(value); });
    ASSERT_EQ(together(mine), first_numbers(20)) << comparisons << " comparisons";
  }
}

TEST(PriorityQueue, LosesNoPushedValueWhenAnOwnerRefusesOne) {
  fragile_numbers queue(acre::world());
  failing_order::refused = 13;
  if (acre::rank() == 0) queue.push(0);
  acre::barrier();
  std::uint64_t pushed = 0;
  std::vector<std::uint64_t> mine;
  const auto run = [&] {
    queue.work([&](std::uint64_t value, auto& more) {
      mine.push_back(value);
      if (value != 0) return;
      for (std::uint64_t i = 1; i <= 40; ++i) {
        more.push(acre::size() - 1, i);
        ++pushed;
      }
    });
  };
  try {
    run();
  } catch (const std::exception&) {
    // Unless the part was empty when 13 arrived.
  }
  acre::barrier();
  failing_order::repair();
  acre::barrier();
  run();
  EXPECT_EQ(together(mine), first_numbers(1 + acre::world().allreduce(pushed)));
}

TEST(PriorityQueue, FailsOnAllMembersWhenTheLeastIsUnknown) {
  fragile_numbers queue(acre::world());
  queue.push(acre::rank());
  acre::barrier();
  failing_order::left = 0;
  acre::barrier();
  if (acre::size() > 1) {
    EXPECT_ANY_THROW(static_cast<void>(queue.least()));
  }
  acre::barrier();
  failing_order::repair();
  acre::barrier();
  EXPECT_EQ(queue.least(), 0U);
}

TEST(PriorityQueue, GivesAllMemoryBack) {
  acre::barrier();
  const std::size_t before = acre::runtime::segment_free().private_part;
  {
    acre::priority_queue<std::string> queue(acre::world());
    for (std::uint64_t i = 0; i < 300; ++i) {
      queue.push(static_cast<acre::rank_t>(i % acre::size()), std::string(i, 'x'));
    }
    for (int i = 0; i < 100; ++i) static_cast<void>(queue.pop());
  }
  acre::barrier();
  // Reuses blocks that neighbours freed.
  acre::runtime::free_private(acre::runtime::allocate_private(64));
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
  acre::barrier();
}

TEST(PriorityQueue, CostsWhatItsDocumentationSays) {
  numbers queue(acre::world());
  acre::barrier();
  if (acre::rank() == 0) {
    const acre::rank_t last = acre::size() - 1;
    const bool near = acre::runtime::node_of(last) == acre::runtime::node_of(0);
    const auto expected = [&](costs direct) { return near ? direct : costs{0, 0, 0, 1}; };
    EXPECT_EQ(cost([&] { queue.push(7); }), (costs{0, 1, 1, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(queue.peek_local()); }), (costs{1, 0, 1, 0}));
    EXPECT_EQ(cost([&] { static_cast<void>(queue.pop()); }), (costs{1, 0, 1, 0}));
    EXPECT_EQ(cost([&] { queue.push(last, 1); }), expected({0, 1, 1, 0}));
    for (std::uint64_t i = 2; i < 8; ++i) queue.push(last, i);
    if (acre::size() == 2) {
      EXPECT_EQ(cost([&] { EXPECT_EQ(queue.pop(), 1U); }), expected({4, 0, 1, 0}));
    }
  }
  acre::barrier();
}

TEST(PriorityQueue, RefusesMissingMembersAndNullHandles) {
  numbers queue(acre::world());
  EXPECT_THROW(queue.push(acre::size(), 1), acre::error);
  queue.push(1);
  EXPECT_THROW(queue.work([](std::uint64_t, auto& more) { more.push(acre::size(), 2); }),
               acre::error);
  numbers empty;
  EXPECT_FALSE(empty);
  EXPECT_THROW(empty.push(1), acre::error);
  EXPECT_THROW(static_cast<void>(empty.pop()), acre::error);
  acre::barrier();
}

}  // namespace
