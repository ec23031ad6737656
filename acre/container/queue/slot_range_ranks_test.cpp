// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/fast_queue.hpp>
#include <acre/container/queue/queue_places_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <iterator>
#include <random>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::testing::is_host;

static_assert(std::random_access_iterator<acre::slot_range<int>::iterator>);
static_assert(std::ranges::random_access_range<acre::slot_range<int>>);
static_assert(std::ranges::borrowed_range<acre::slot_range<int>>);
template <class Queue>
concept has_local = requires(Queue& queue) { queue.local(); };
static_assert(has_local<acre::fast_queue<int>> && !has_local<acre::fast_queue<std::string>>);
static_assert(has_local<acre::circular_queue<int>> &&
              !has_local<acre::circular_queue<std::string>>);
static_assert(
    std::same_as<decltype(std::declval<acre::fast_queue<int>&>().local()), std::span<int>>);

struct triple {
  std::array<std::uint32_t, 3> words;
  friend auto operator<=>(const triple&, const triple&) = default;
};

template <class Queue>
class QueueLocalSmoke : public ::testing::Test {};
using queues = ::testing::Types<acre::fast_queue<triple>, acre::circular_queue<triple>>;
TYPED_TEST_SUITE(QueueLocalSmoke, queues);

TYPED_TEST(QueueLocalSmoke, SortsInPlaceWhereverTheValuesBegin) {
  const std::uint64_t seed = acre::testing::common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  TypeParam queue(acre::world(), {acre::size() - 1}, 64);
  std::deque<triple> model;
  for (int round = 0; round < acre::testing::steps(400); ++round) {
    const std::uint64_t pushes = random() % (65 - model.size());
    for (std::uint64_t i = 0; i < pushes; ++i) {
      const triple value{{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(i), 7}};
      model.push_back(value);
      if (is_host(queue)) {
        ASSERT_TRUE(queue.push(value, only<push>));
      }
    }
    acre::barrier();
    if (is_host(queue)) {
      auto values = queue.local();
      ASSERT_EQ(values.size(), model.size());
      ASSERT_TRUE(std::ranges::equal(values, model));
      std::ranges::sort(values);
    }
    std::ranges::sort(model);
    acre::barrier();
    const std::uint64_t pops = random() % (model.size() + 1);
    const acre::rank_t popping = static_cast<acre::rank_t>(random() % acre::size());
    if (acre::rank() == popping) {
      std::vector<triple> out(pops);
      ASSERT_TRUE(pops == 0 || queue.pop(std::span(out), only<pop>));
      ASSERT_TRUE(std::ranges::equal(out, model | std::views::take(pops)));
    }
    model.erase(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(pops));
    acre::barrier();
    if (round % 16 == 7) queue.resize(round % 32 == 7 ? 100 : 64);
    if (round % 16 == 9) queue.migrate({static_cast<acre::rank_t>(random() % acre::size())});
    ASSERT_EQ(queue.settled().copy(), std::vector(model.begin(), model.end()));
    acre::barrier();
  }
}

TYPED_TEST(QueueLocalSmoke, IsForTheHostAlone) {
  TypeParam queue(acre::world(), {0}, 8);
  if (acre::rank() != 0) {
    EXPECT_THROW(static_cast<void>(queue.local()), acre::error);
  } else {
    EXPECT_TRUE(queue.local().empty());
  }
  acre::barrier();
  if constexpr (acre::base::has_checks) {
    if (acre::size() > 1 && acre::rank() == 0) {
      EXPECT_TRUE(queue.push(triple{}, only<push>));
      EXPECT_THROW(static_cast<void>(queue.local()), acre::error);
    }
    acre::barrier();
  }
}

TEST(QueueLocal, OfAFastQueueIsContiguousWhenFull) {
  acre::fast_queue<std::uint32_t> queue(acre::world(), {0}, 16, {.pushed = 11, .popped = 11});
  if (is_host(queue)) {
    for (std::uint32_t i = 0; i < 16; ++i) ASSERT_TRUE(queue.push(i));
  }
  acre::barrier();
  if (is_host(queue)) {
    const std::span<std::uint32_t> values = queue.local();
    ASSERT_EQ(values.size(), 16U);
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(values[i], i);
  }
  acre::barrier();
  EXPECT_EQ(queue.totals(), (acre::queue_totals{.pushed = 27, .popped = 11}));
  const auto all = queue.settled();
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(all[i], i);
  acre::barrier();
}

}  // namespace
