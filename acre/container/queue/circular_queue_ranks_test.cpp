// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/failure_of_test.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/queue_places_test.hpp>
#include <acre/container/queue/sized_value_test.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <sched.h>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

using acre::circular_queue;
using acre::base_test::failure_of;
using acre::testing::common_seed;
using acre::testing::is_near;
using acre::testing::last_rank;
using acre::testing::sized;
using acre::testing::steps;
using numbers = circular_queue<std::uint64_t>;

TEST(CircularQueueSmoke, PassesValuesOn) {
  numbers queue(acre::world(), last_rank(), 4UL * acre::size());
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pop(), std::nullopt);
  acre::barrier();
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(queue.push(10UL * acre::rank() + i));
  acre::barrier();
  EXPECT_EQ(queue.size(), 4UL * acre::size());
  EXPECT_FALSE(queue.push(0)) << "it is full";
  acre::barrier();
  std::uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += queue.pop().value();
  EXPECT_EQ(acre::world().allreduce(sum),
            20UL * acre::size() * (acre::size() - 1) + 6UL * acre::size());
  EXPECT_TRUE(queue.empty());
}

TEST(CircularQueueSmoke, PassesSpansOn) {
  numbers queue(acre::world(), {0}, 5);
  if (acre::rank() == acre::size() - 1) {
    const std::array<std::uint64_t, 4> four{1, 2, 3, 4};
    std::array<std::uint64_t, 8> out{};
    EXPECT_TRUE(queue.push(four));
    EXPECT_FALSE(queue.push(four)) << "all or no values";
    EXPECT_EQ(queue.size(), 4U);
    EXPECT_EQ(queue.push_some(four), 1U);
    EXPECT_EQ(queue.push_some(four), 0U);
    EXPECT_FALSE(queue.pop(std::span(out).first(6)));
    EXPECT_TRUE(queue.pop(std::span(out).first(2)));
    EXPECT_EQ(queue.peek(), 3U);
    EXPECT_EQ(queue.pop_some(std::span(out).subspan(2)), 3U);
    EXPECT_EQ(out, (std::array<std::uint64_t, 8>{1, 2, 3, 4, 1}));
    EXPECT_EQ(queue.pop_some(out), 0U);
    EXPECT_EQ(queue.peek(), std::nullopt);
    EXPECT_TRUE(queue.push(std::span<const std::uint64_t>{}));
    EXPECT_EQ(queue.totals(), (acre::queue_totals{.pushed = 5, .popped = 5}));
  }
  acre::barrier();
}

void follow_deque(numbers& queue, std::mt19937_64& random) {
  const std::uint64_t capacity = queue.capacity();
  std::deque<std::uint64_t> model;
  for (int step = 0; step < steps(3000); ++step) {
    std::vector<std::uint64_t> values(random() % (capacity + 2));
    for (auto& each : values) each = random();
    const std::uint64_t room = capacity - model.size();
    switch (random() % 7) {
      case 0:
        ASSERT_EQ(queue.push(std::uint64_t(step)), room != 0);
        if (room != 0) model.push_back(std::uint64_t(step));
        break;
      case 1:
        ASSERT_EQ(queue.push(values), values.size() <= room);
        if (values.size() <= room) model.insert(model.end(), values.begin(), values.end());
        break;
      case 2: {
        const auto taken = std::min<std::uint64_t>(values.size(), room);
        ASSERT_EQ(queue.push_some(values), taken);
        model.insert(model.end(), values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(taken));
        break;
      }
      case 3:
        if (queue.pop(values)) {
          ASSERT_LE(values.size(), model.size());
          ASSERT_TRUE(std::equal(values.begin(), values.end(), model.begin()));
          model.erase(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(values.size()));
        } else {
          ASSERT_GT(values.size(), model.size());
        }
        break;
      case 4: {
        const std::size_t count = queue.pop_some(values);
        ASSERT_EQ(count, std::min(values.size(), model.size()));
        ASSERT_TRUE(std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                               model.begin()));
        model.erase(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(count));
        break;
      }
      case 5:
        ASSERT_EQ(queue.peek(), model.empty() ? std::nullopt : std::optional(model.front()));
        ASSERT_EQ(queue.size(), model.size());
        break;
      default: {
        const auto value = queue.pop();
        ASSERT_EQ(value, model.empty() ? std::nullopt : std::optional(model.front()));
        if (value) model.pop_front();
      }
    }
  }
}

TEST(CircularQueue, DoesWhatDequesDoWhenItsNumbersWrap) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const std::uint64_t capacity : {1U, 2U, 3U, 5U, 7U, 8U, 100U}) {
    const std::uint64_t before = std::uint64_t{0} - 3 * capacity;
    numbers queue(acre::world(), {0}, capacity, {.pushed = before, .popped = before});
    if (acre::rank() == acre::size() - 1) {
      std::mt19937_64 random(seed + capacity);
      ASSERT_NO_FATAL_FAILURE(follow_deque(queue, random));
      if (steps(20) == 20) {
        EXPECT_LT(queue.totals().popped, before) << "they have wrapped";
      }
    }
    acre::barrier();
  }
}

void delay(std::mt19937_64& random) {
  const auto dice = random() % 64;
  if (dice < 4) ::sched_yield();
  if (dice == 4) std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
}

TEST(CircularQueue, LosesAndRepeatsNothingInSpans) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const std::uint64_t before = std::uint64_t{0} - 1000;
  numbers queue(acre::world(), {0}, 37, {.pushed = before, .popped = before});
  const auto mine = static_cast<std::uint64_t>(steps(4000));
  const std::uint64_t stamp = std::uint64_t{acre::rank()} << 32;
  std::uint64_t pushed = 0;
  std::vector<std::uint64_t> popped;
  std::vector<std::uint64_t> last(acre::size(), 0);
  const auto note = [&](std::span<const std::uint64_t> values) {
    for (const std::uint64_t each : values) {
      const std::uint64_t number = (each & 0xffffffff) + 1;
      EXPECT_GT(number, last[each >> 32]) << "in the order of pushing, to each who pops";
      last[each >> 32] = number;
      popped.push_back(each);
    }
  };
  std::array<std::uint64_t, 50> buffer;
  const auto pop_some = [&] {
    const std::span<std::uint64_t> room(buffer.data(), 1 + random() % buffer.size());
    note(room.first(queue.pop_some(room)));
  };
  while (pushed < mine) {
    std::vector<std::uint64_t> values(std::min<std::uint64_t>(1 + random() % 20, mine - pushed));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stamp + pushed + i;
    if (random() % 2 == 0) {
      pushed += queue.push(values) ? values.size() : 0;
    } else {
      pushed += queue.push_some(values);
    }
    delay(random);
    if (random() % 2 == 0) pop_some();
    const std::span<std::uint64_t> few(buffer.data(), 1 + random() % 5);
    if (random() % 4 == 0 && queue.pop(few)) note(few);
  }
  acre::barrier();
  while (!queue.empty()) pop_some();
  std::vector<std::uint64_t> all;
  for (const auto& part : acre::world().gatherv(std::span(popped), 0)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  if (acre::rank() == 0) {
    std::ranges::sort(all);
    EXPECT_EQ(all.size(), mine * acre::size());
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  }
  acre::barrier();
}

TEST(CircularQueue, KeepsSpansInOnePiece) {
  numbers queue(acre::world(), {0}, 100);
  const int rounds = steps(1000);
  std::uint64_t whole = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::array<std::uint64_t, 5> five{1, 2, 3, 4, 5};
    std::array<std::uint64_t, 5> out{};
    queue.push_wait(five);
    queue.pop_wait(out);
    if (out == five) ++whole;
  }
  EXPECT_EQ(whole, static_cast<std::uint64_t>(rounds));
  acre::barrier();
  EXPECT_TRUE(queue.empty());
}

template <std::size_t Bytes>
void never_tears(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  circular_queue<sized<Bytes>> queue(acre::world(), last_rank(), 3);
  std::mt19937_64 random(seed + acre::rank());
  std::uint64_t balance = 0;
  for (int step = 0; step < steps(1000); ++step) {
    const auto number = static_cast<unsigned>(random() % 256);
    if (random() % 2 == 0) {
      if (queue.push(sized<Bytes>::of(number))) balance += number + 1;
    } else if (random() % 4 == 0) {
      if (const auto seen = queue.peek()) {
        ASSERT_TRUE(seen->is_whole());
      }
    } else if (const auto value = queue.pop()) {
      ASSERT_TRUE(value->is_whole());
      balance -= value->bytes[0] + std::uint64_t{1};
    }
  }
  acre::barrier();
  if (acre::rank() == 0) {
    while (const auto value = queue.pop()) balance -= value->bytes[0] + std::uint64_t{1};
  }
  EXPECT_EQ(acre::world().allreduce(balance), 0U);
}

TEST(CircularQueue, NeverShowsHalvesOfValuesOfAnySize) {
  const std::uint64_t seed = common_seed();
  never_tears<3>(seed);
  never_tears<100>(seed + 100);
  never_tears<4096>(seed + 200);
}

TEST(CircularQueue, TakesWhatNoMessageCarries) {
  numbers queue(acre::world(), {0}, 20'000);
  std::vector<std::uint64_t> many(15'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = i;
  circular_queue<sized<100'000>> huge(acre::world(), {0}, 2);
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(queue.push(many));
    EXPECT_FALSE(queue.push(many));
    EXPECT_EQ(queue.push_some(many), 5000U);
    std::vector<std::uint64_t> out(15'000);
    EXPECT_TRUE(queue.pop(out));
    EXPECT_EQ(out, many);
    EXPECT_FALSE(queue.pop(out));
    EXPECT_EQ(queue.pop_some(out), 5000U);
    EXPECT_EQ(out[4999], 4999U);
    queue.push_wait(many);
    queue.pop_wait(out);
    EXPECT_EQ(out, many);

    EXPECT_TRUE(huge.push(sized<100'000>::of(7)));
    EXPECT_TRUE(huge.push(sized<100'000>::of(8)));
    EXPECT_FALSE(huge.push(sized<100'000>::of(9)));
    EXPECT_TRUE(huge.peek().value().is_whole());
    EXPECT_EQ(huge.pop().value().bytes[5], 7);
    EXPECT_EQ(huge.pop_wait().bytes[99'999], 8);
    EXPECT_FALSE(huge.pop());
    EXPECT_FALSE(huge.peek());
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

TEST(CircularQueue, LetsRanksWaitForEachOther) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  numbers there(acre::world(), {0}, 1);
  numbers back(acre::world(), last_rank(), 2);
  const bool has_partner = (acre::rank() ^ 1) < acre::size();
  std::uint64_t sum = 0;
  const int rounds = steps(400);
  for (int i = 0; i < rounds && has_partner; ++i) {
    const bool is_first = acre::rank() % 2 == 0;
    (is_first ? there : back).push_wait(1);
    delay(random);
    sum += (is_first ? back : there).pop_wait();
  }
  EXPECT_EQ(sum, has_partner ? static_cast<std::uint64_t>(rounds) : 0);
  acre::barrier();
  EXPECT_TRUE(there.empty());
  EXPECT_TRUE(back.empty());
  acre::barrier();
}

TEST(CircularQueue, RunsFunctionsOfOthersWhileItWaits) {
  numbers queue(acre::world(), {0}, 1);
  const acre::rank_t last = acre::size() - 1;
  if (acre::size() > 1 && acre::rank() == last) {
    EXPECT_EQ(acre::rpc(0, [](int x) { return x + 1; }, 1).get(), 2);
    EXPECT_TRUE(queue.push(5));
  } else if (acre::size() > 1 && acre::rank() == 0) {
    EXPECT_EQ(queue.pop_wait(), 5U);
  }
  acre::barrier();
}

TEST(CircularQueue, DoesNotFloodTheHostWhileItWaits) {
  numbers queue(acre::world(), {0}, 1);
  if (acre::size() > 1 && acre::rank() == acre::size() - 1) {
    const auto before = acre::counters();
    EXPECT_EQ(queue.pop_wait(), 5U);
    const auto used = acre::counters() - before;
    if (!is_near(queue)) {
      EXPECT_LT(used.messages, 200U);
    }
  } else if (acre::rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (acre::size() > 1) {
      EXPECT_TRUE(queue.push(5));
    }
  }
  acre::barrier();
}

TEST(CircularQueue, RefusesToWaitForWhatNeverFits) {
  numbers queue(acre::world(), {0}, 3);
  std::array<std::uint64_t, 4> four{};
  EXPECT_NE(failure_of([&] { queue.push_wait(four); }).find("4 values"), std::string::npos);
  EXPECT_NE(failure_of([&] { queue.pop_wait(four); }).find("4 values"), std::string::npos);
  EXPECT_FALSE(queue.push(four));
  EXPECT_FALSE(queue.pop(four));
  acre::barrier();
}

}  // namespace
