// SPDX-License-Identifier: BSD-3-Clause
// Collective calls of queues.
#include <acre/base/failure_of_test.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/queue_places_test.hpp>
#include <acre/container/queue/sized_value_test.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::circular_queue;
using acre::hosted_by;
using acre::base_test::failure_of;
using acre::testing::common_seed;
using acre::testing::is_host;
using acre::testing::last_rank;
using acre::testing::sized;
using numbers = circular_queue<std::uint64_t>;

void resize_or_migrate(numbers& queue, std::uint64_t values, std::mt19937_64& random) {
  if (random() % 2 == 0) {
    const std::uint64_t capacity = 1 + random() % 20;
    if (capacity < values) {
      EXPECT_NE(failure_of([&] { queue.resize(capacity); }).find("do not fit"), std::string::npos);
    } else {
      queue.resize(capacity);
      EXPECT_EQ(queue.capacity(), capacity);
    }
  } else {
    const hosted_by host{static_cast<acre::rank_t>(random() % acre::size())};
    queue.migrate(host);
    EXPECT_EQ(queue.host().number(), host.member);
  }
}

TEST(CircularQueue, KeepsItsValuesWhenItIsResizedAndMigrated) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::uint64_t before = std::uint64_t{0} - 40;
  numbers queue(acre::world(), {0}, 6, {.pushed = before, .popped = before});
  std::deque<std::uint64_t> model;
  std::uint64_t next = 0;
  acre::queue_totals totals{.pushed = before, .popped = before};
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t pushes = random() % 6;
    const std::uint64_t pops = random() % 6;
    const auto who = static_cast<acre::rank_t>(random() % acre::size());
    for (std::uint64_t i = 0; i < pushes && model.size() < queue.capacity(); ++i) {
      model.push_back(++next);
      ++totals.pushed;
      if (acre::rank() == who) {
        ASSERT_TRUE(queue.push(next));
      }
    }
    for (std::uint64_t i = 0; i < pops && !model.empty(); ++i) {
      if (acre::rank() == who) {
        ASSERT_EQ(queue.pop(), model.front());
      }
      model.pop_front();
      ++totals.popped;
    }
    resize_or_migrate(queue, model.size(), random);
    EXPECT_EQ(queue.totals(), totals);
    if (is_host(queue)) {
      std::vector<std::uint64_t> seen;
      queue.for_each_local([&](std::uint64_t each) { seen.push_back(each); });
      EXPECT_TRUE(std::ranges::equal(seen, model));
    }
    acre::barrier();
  }
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.totals().pushed, totals.pushed);
  acre::barrier();
  if (acre::rank() == 0) {
    std::vector<std::uint64_t> full(queue.capacity(), 7);
    EXPECT_TRUE(queue.push(full));
    EXPECT_TRUE(queue.pop(full));
    EXPECT_TRUE(queue.push(full));
  }
  acre::barrier();
}

TEST(CircularQueue, MigratesManyValues) {
  circular_queue<sized<100>> queue(acre::world(), {0}, 1500);
  for (unsigned i = 0; i < 700 && acre::rank() == 0; ++i) {
    EXPECT_TRUE(queue.push(sized<100>::of(i)));
    if (i % 7 == 0) {
      EXPECT_TRUE(queue.pop());
    }
    if (i % 7 == 0) {
      EXPECT_TRUE(queue.push(sized<100>::of(i)));
    }
  }
  queue.migrate(last_rank());
  queue.resize(700);
  EXPECT_EQ(queue.size(), 700U);
  acre::barrier();
  if (is_host(queue)) {
    while (const auto value = queue.pop()) EXPECT_TRUE(value->is_whole());
  }
  acre::barrier();
}

TEST(CircularQueue, BelongsToATeam) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  numbers queue(half, {half.size() - 1}, half.size());
  EXPECT_TRUE(queue.push(acre::rank() % 2));
  EXPECT_EQ(queue.host(), half[half.size() - 1]);
  EXPECT_EQ(acre::rpc(queue.host(), [] { return acre::rank(); }).get(),
            half.world_rank(half.size() - 1));
  half.barrier();
  EXPECT_EQ(queue.pop(), acre::rank() % 2);
  half.barrier();
  queue.migrate({0});
  queue.resize(5);
  EXPECT_TRUE(queue.empty());
}

TEST(CircularQueue, MovesAndEndsInAnyOrder) {
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    numbers none;
    EXPECT_NE(failure_of([&] { none.push(1); }).find("circular_queue{"), std::string::npos);
    EXPECT_NE(failure_of([&] { none.clear(); }).find("the queue does not exist"),
              std::string::npos);
    auto first = std::make_unique<numbers>(acre::world(), hosted_by{0}, 10);
    auto second = std::make_unique<numbers>(acre::world(), last_rank(), 20);
    if (acre::rank() == 0) {
      EXPECT_TRUE(first->push(1));
    }
    none = std::move(*first);
    first.reset();
    acre::barrier();
    EXPECT_EQ(none.size(), 1U);
    acre::barrier();
    none = std::move(*second);
    EXPECT_EQ(none.capacity(), 20U);
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

TEST(CircularQueue, OfNoValuesIsFullAndEmptyUntilItIsResized) {
  numbers queue(acre::world(), {acre::size() - 1}, 0);
  const std::array<std::uint64_t, 2> two{1, 2};
  std::array<std::uint64_t, 2> popped{};
  const auto expect_nothing = [&] {
    EXPECT_EQ(queue.capacity(), 0U);
    EXPECT_TRUE(queue.empty());
    EXPECT_FALSE(queue.push(1));
    EXPECT_FALSE(queue.push(two));
    EXPECT_EQ(queue.push_some(two), 0U);
    EXPECT_FALSE(queue.pop());
    EXPECT_FALSE(queue.pop(popped));
    EXPECT_EQ(queue.pop_some(popped), 0U);
    EXPECT_FALSE(queue.peek());
    EXPECT_NE(failure_of([&] { queue.push_wait(1); }).find("1 values"), std::string::npos);
    acre::barrier();
  };
  expect_nothing();
  queue.resize(acre::size());
  EXPECT_TRUE(queue.push(acre::rank()));
  acre::barrier();
  EXPECT_TRUE(queue.pop());
  acre::barrier();
  queue.resize(0);
  expect_nothing();
}

TEST(CircularQueue, ExplainsWhatCannotBeMade) {
  EXPECT_NE(failure_of([] { numbers queue(acre::world(), {acre::size()}, 4); }).find("the host"),
            std::string::npos);
  EXPECT_NE(
      failure_of([] { numbers queue(acre::world(), {0}, ~std::uint64_t{0}); }).find("negative"),
      std::string::npos);
  numbers queue(acre::world(), {0}, 4);
  EXPECT_NE(failure_of([&] { queue.migrate({acre::size()}); }).find("the host"), std::string::npos);
  if (acre::size() == 1) return;
  EXPECT_NE(failure_of([] {
              numbers other(acre::world(), {0}, 3 + acre::rank());
            }).find("sizes differ: 3 values on rank 0, 4 values on rank 1"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { queue.migrate({acre::rank()}); }).find("hosts differ"),
            std::string::npos);
  EXPECT_EQ(queue.capacity(), 4U);
}

}  // namespace
