// SPDX-License-Identifier: BSD-3-Clause
// Queues of any type.
#include <acre/container/common_seed_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/queue_places_test.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::circular_queue;
using acre::testing::common_seed;
using acre::testing::is_host;
using acre::testing::is_near;
using acre::testing::last_rank;
using acre::testing::steps;

std::string text_of(std::uint64_t number) {
  const std::size_t length = number % 97 == 0 ? 50'000 + number % 1000 : number % 300;
  return std::to_string(number) + ":" + std::string(length, static_cast<char>('a' + number % 26));
}
std::uint64_t number_of(const std::string& text) {
  const std::uint64_t number = std::stoull(text);
  EXPECT_EQ(text, text_of(number));
  return number;
}

std::uint64_t push_and_pop(circular_queue<std::string>& queue, std::mt19937_64& random) {
  std::uint64_t balance = 0;
  std::vector<std::string> texts(3);
  for (int step = 0; step < steps(600); ++step) {
    for (std::string& each : texts) each = text_of(random() % 10'000);
    switch (random() % 6) {
      case 0:
        if (queue.push(texts[0])) balance += number_of(texts[0]) + 1;
        break;
      case 1:
        if (queue.push(texts)) {
          for (const std::string& each : texts) balance += number_of(each) + 1;
        }
        break;
      case 2: {
        const std::size_t count = queue.push_some(texts);
        for (std::size_t i = 0; i < count; ++i) balance += number_of(texts[i]) + 1;
        break;
      }
      case 3:
        if (const auto text = queue.pop()) balance -= number_of(*text) + 1;
        break;
      case 4:
        if (queue.pop(texts)) {
          for (const std::string& each : texts) balance -= number_of(each) + 1;
        }
        break;
      default: {
        const std::size_t count = queue.pop_some(texts);
        for (std::size_t i = 0; i < count; ++i) balance -= number_of(texts[i]) + 1;
      }
    }
  }
  return balance;
}

TEST(CircularQueue, TakesStringsOfAnyLength) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    circular_queue<std::string> queue(acre::world(), last_rank(), 20);
    const std::uint64_t balance = push_and_pop(queue, random);
    acre::barrier();
    queue.migrate({0});
    queue.resize(40);
    std::uint64_t there = 0;
    if (is_host(queue)) {
      queue.for_each_local([&](const std::string& text) { there += number_of(text) + 1; });
    }
    EXPECT_EQ(acre::world().allreduce(balance), acre::world().allreduce(there));
    queue.push_wait(text_of(97));
    queue.push_wait(text_of(5));
    acre::barrier();
    for (int i = 0; i < 2; ++i) number_of(queue.pop_wait());
    acre::barrier();
    if (acre::rank() == 0) {
      while (queue.pop()) continue;
    }
    acre::barrier();
    queue.push(text_of(1));
    acre::barrier();
    queue.clear();
    queue.push(text_of(2));
    queue.push(text_of(194));
    acre::barrier();
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

TEST(CircularQueue, SendsOnlyTheStringsThatFindRoom) {
  circular_queue<std::string> queue(acre::world(), {0}, 100);
  if (acre::rank() == acre::size() - 1) {
    const std::vector<std::string> most(97, std::string(1000, 'a'));
    const std::vector<std::string> many(500, std::string(1000, 'b'));
    EXPECT_TRUE(queue.push(most));
    const auto before = acre::counters();
    EXPECT_FALSE(queue.push(many));
    EXPECT_EQ(queue.push_some(many), 3U);
    const auto used = acre::counters() - before;
    if (!is_near(queue)) {
      EXPECT_LT(used.message_bytes + used.write_bytes, 4000U);
    }
    std::vector<std::string> out(101);
    EXPECT_EQ(queue.pop_some(out), 100U);
    EXPECT_EQ(out[96], most[0]);
    EXPECT_EQ(out[97], many[0]);
    EXPECT_EQ(out[99], many[0]);
  }
  acre::barrier();
}

TEST(CircularQueue, TakesManyShortStringsAtOnce) {
  constexpr std::size_t count = 20'000;
  circular_queue<std::string> queue(acre::world(), {0}, count);
  if (acre::rank() == acre::size() - 1) {
    std::vector<std::string> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = std::to_string(i);
    EXPECT_TRUE(queue.push(all));
    std::vector<std::string> out(count);
    EXPECT_TRUE(queue.pop(out));
    EXPECT_EQ(out, all);
  }
  acre::barrier();
}

TEST(CircularQueue, TakesPairsAndVectors) {
  using pairs = std::pair<std::string, std::vector<int>>;
  using fixed = std::pair<int, std::tuple<double, char>>;
  circular_queue<pairs> queue(acre::world(), {0}, 2UL * acre::size());
  circular_queue<fixed> plain(acre::world(), {0}, 2UL * acre::size());
  const pairs mine{"rank", std::vector<int>(acre::rank() + 1, 7)};
  EXPECT_TRUE(queue.push(mine));
  EXPECT_TRUE(plain.push({static_cast<int>(acre::rank()), {0.5, 'x'}}));
  acre::barrier();
  const auto any = queue.pop();
  ASSERT_TRUE(any.has_value());
  EXPECT_EQ(any->first, "rank");
  EXPECT_EQ(any->second.at(0), 7);
  const auto other = plain.pop();
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(std::get<1>(other->second), 'x');
  acre::barrier();
  if (is_host(queue)) {
    EXPECT_TRUE(queue.push(mine, local));
    EXPECT_EQ(queue.pop(local), mine);
    EXPECT_TRUE(plain.push({3, {1.5, 'y'}}, local));
    EXPECT_EQ(plain.pop(local)->first, 3);
  }
  acre::barrier();
  EXPECT_TRUE(queue.empty());
  acre::barrier();
}

}  // namespace
