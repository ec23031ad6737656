// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/fast_queue.hpp>
#include <acre/container/queue/queue_places_test.hpp>
#include <acre/container/read_way.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::testing::is_host;
using acre::testing::is_near;

acre::operation_counts cost_of(auto&& operation) {
  const acre::operation_counts before = acre::counters();
  operation();
  return acre::counters() - before;
}

/// Serving others is counted too.
void take_turns(auto&& f) {
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    if (rank == acre::rank()) f();
    acre::barrier();
  }
}

template <class Queue>
class SettledValuesSmoke : public ::testing::Test {};
using queues =
    ::testing::Types<acre::fast_queue<std::uint64_t>, acre::circular_queue<std::uint64_t>>;
TYPED_TEST_SUITE(SettledValuesSmoke, queues);

template <class Queue, class Guarantee>
concept settles_with =
    requires(const Queue& queue, Guarantee guarantee) { queue.settled(guarantee); };
using fast = acre::fast_queue<int>;
static_assert(settles_with<fast, decltype(only<find>)>);
static_assert(!settles_with<fast, decltype(only<push>)>);
static_assert(!settles_with<fast, decltype(only<find, pop>)>);
static_assert(!settles_with<fast, decltype(local)> && !settles_with<fast, acre::no_guarantee>);
static_assert(!settles_with<acre::fast_queue<std::string>, decltype(only<find>)>);

TYPED_TEST(SettledValuesSmoke, AreTheQueuesValuesInOrder) {
  for (acre::rank_t host = 0; host < acre::size(); ++host) {
    TypeParam queue(acre::world(), {host}, 64);
    // Wraps around the ring's end.
    if (is_host(queue)) {
      for (std::uint64_t i = 0; i < 50; ++i) ASSERT_TRUE(queue.push(i, only<push>));
    }
    acre::barrier();
    if (is_host(queue)) {
      for (std::uint64_t i = 0; i < 40; ++i) ASSERT_EQ(queue.pop(only<pop>), i);
    }
    acre::barrier();
    if (is_host(queue)) {
      for (std::uint64_t i = 50; i < 90; ++i) ASSERT_TRUE(queue.push(i, only<push>));
    }
    acre::barrier();
    const auto all = queue.settled();
    ASSERT_EQ(all.size(), 50U);
    for (std::uint64_t i = 0; i < 50; ++i) ASSERT_EQ(all[i], 40 + i);
    std::vector<std::uint64_t> expected(50);
    std::iota(expected.begin(), expected.end(), 40U);
    EXPECT_EQ(all.copy(), expected);
    std::vector<std::uint64_t> some(30);
    all.read(15, some);
    EXPECT_EQ(some, std::vector(expected.begin() + 15, expected.begin() + 45));
    all.read(50, std::span<std::uint64_t>());
    EXPECT_THROW(static_cast<void>(all[50]), acre::error);
    EXPECT_THROW(all.read(21, some), acre::error);
    EXPECT_THROW(all.read(~std::uint64_t{0}, some), acre::error);
    acre::barrier();
    EXPECT_EQ(queue.size(), 50U);
    acre::barrier();
  }
}

TYPED_TEST(SettledValuesSmoke, CostOneReadEach) {
  TypeParam queue(acre::world(), {acre::size() - 1}, 4096);
  if (is_host(queue)) {
    for (std::uint64_t i = 0; i < 4000; ++i) ASSERT_TRUE(queue.push(i));
  }
  acre::barrier();
  take_turns([&] {
    acre::settled_values<std::uint64_t> all;
    const auto opening = cost_of([&] { all = queue.settled(); });
    const bool is_message = acre::base::has_checks && !is_near(queue);
    EXPECT_EQ(opening.reads, is_message ? 0U : 1U);
    EXPECT_EQ(opening.messages, is_message ? 1U : 0U);
    const auto one = cost_of([&] { EXPECT_EQ(all[77], 77U); });
    EXPECT_EQ(one.reads, 1U);
    EXPECT_EQ(one.messages + one.atomics + one.writes, 0U);
    std::vector<std::uint64_t> many(4000);
    const auto reading = cost_of([&] { all.read(0, many); });
    EXPECT_EQ(many[3999], 3999U);
    EXPECT_EQ(reading.reads, 1U);
    EXPECT_EQ(reading.messages + reading.atomics + reading.writes, 0U);
  });
}

TYPED_TEST(SettledValuesSmoke, OfAnEmptyQueueAreEmpty) {
  for (const std::uint64_t capacity : {0U, 1U, 5U}) {
    TypeParam queue(acre::world(), {0}, capacity);
    EXPECT_TRUE(queue.settled().empty());
    EXPECT_TRUE(queue.settled().copy().empty());
    acre::barrier();
  }
}

TEST(SettledValues, MayBeSerialisedToAFixedSize) {
  static_assert(acre::storage_of<std::tuple<int, double>> == acre::storage::fixed);
  acre::fast_queue<std::tuple<int, double>> queue(acre::world(), {0}, 100);
  if (acre::rank() == 0) {
    for (int i = 0; i < 100; ++i) queue.push({i, i / 2.0});
  }
  acre::barrier();
  const auto all = queue.settled();
  ASSERT_EQ(all.size(), 100U);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(all[static_cast<std::uint64_t>(i)], std::tuple(i, i / 2.0));
  }
  EXPECT_EQ(all.copy()[99], std::tuple(99, 49.5));
  acre::barrier();
}

TEST(SettledValues, LargerThanAPieceAreRead) {
  acre::circular_queue<std::uint64_t> queue(acre::world(), {0}, 20'000);
  if (acre::rank() == 0) {
    for (std::uint64_t i = 0; i < 20'000; ++i) queue.push(i);
  }
  acre::barrier();
  const auto all = queue.settled().copy();
  ASSERT_EQ(all.size(), 20'000U);
  for (std::uint64_t i = 0; i < 20'000; ++i) ASSERT_EQ(all[i], i);
  acre::barrier();
}

TEST(SettledValues, FollowPhasesWithDelays) {
  const std::uint64_t seed = acre::testing::common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 own(seed + acre::rank());
  const auto pause = [&] {
    if (own() % 4 == 0) ::usleep(static_cast<useconds_t>(own() % 2000));
  };
  acre::fast_queue<std::uint64_t> queue(acre::world(), {acre::size() / 2}, 16 * acre::size());
  for (std::uint64_t phase = 0; phase < 20; ++phase) {
    const std::uint64_t count = 1 + (phase * 5) % 16;
    for (std::uint64_t i = 0; i < count; ++i) {
      ASSERT_TRUE(queue.push(phase << 32 | std::uint64_t{acre::rank()} << 16 | i));
      pause();
    }
    acre::barrier();
    const auto all = queue.settled().copy();
    ASSERT_EQ(all.size(), count * acre::size());
    std::vector<std::uint64_t> next(acre::size());
    for (const std::uint64_t each : all) {
      ASSERT_EQ(each >> 32, phase);
      ASSERT_EQ(each & 0xffff, next.at(each >> 16 & 0xffff)++);
    }
    pause();
    queue.clear();
  }
}

TEST(SettledValues, ReportPushesOfTheirPhase) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "a build without checks";
  acre::fast_queue<std::uint64_t> queue(acre::world(), {acre::size() - 1}, 100);
  if (acre::rank() == 0) {
    static_cast<void>(queue.settled());
    EXPECT_THROW(queue.push(1), acre::error);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    EXPECT_TRUE(queue.push(1));
    EXPECT_THROW(static_cast<void>(queue.settled()), acre::error);
  }
  acre::barrier();
}

}  // namespace
