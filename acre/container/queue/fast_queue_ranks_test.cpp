// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/queue/fast_queue.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::fast_queue;
using acre::base_test::failure_of;
using acre::testing::common_seed;
using numbers = fast_queue<std::uint64_t>;

TEST(FastQueueSmoke, IsFilledAndEmptiedInTurns) {
  numbers queue(acre::world(), {acre::size() - 1}, 4UL * acre::size());
  for (int phase = 0; phase < 3; ++phase) {
    for (std::uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(queue.push(10UL * acre::rank() + i));
    acre::barrier();
    EXPECT_EQ(queue.size(), 4UL * acre::size());
    EXPECT_FALSE(acre::rank() == 0 && queue.push(0)) << "it is full";
    acre::barrier();
    std::uint64_t sum = 0;
    for (int i = 0; i < 4; ++i) sum += queue.pop().value();
    EXPECT_EQ(acre::world().allreduce(sum),
              20UL * acre::size() * (acre::size() - 1) + 6UL * acre::size());
    EXPECT_EQ(queue.pop(), std::nullopt);
    acre::barrier();
  }
}

using balance_of_values = std::map<std::uint64_t, std::int64_t>;  ///< pushed minus popped

void push_some(numbers& queue, std::mt19937_64& random, std::uint64_t most, std::uint64_t& next,
               balance_of_values& balance) {
  std::vector<std::uint64_t> values(random() % (most / 2 + 2));
  for (auto& each : values) each = next++;
  std::size_t count = 0;
  if (values.size() == 1) {
    count = queue.push(values[0]) ? 1 : 0;
  } else if (random() % 2 == 0) {
    count = queue.push(values) ? values.size() : 0;
  } else {
    count = queue.push_some(values);
  }
  for (std::size_t at = 0; at < count; ++at) ++balance[values[at]];
}

std::uint64_t pop_some(numbers& queue, std::mt19937_64& random, std::uint64_t most,
                       std::uint64_t& last, balance_of_values& balance) {
  std::vector<std::uint64_t> values(random() % (most / 2 + 2));
  std::size_t count = 0;
  if (values.size() == 1) {
    const auto one = queue.pop();
    count = one ? 1 : 0;
    values[0] = one.value_or(0);
  } else if (random() % 2 == 0) {
    count = queue.pop(values) ? values.size() : 0;
  } else {
    count = queue.pop_some(values);
  }
  for (std::size_t at = 0; at < count; ++at) {
    if (acre::size() == 1) {
      EXPECT_GE(values[at], last);
    }
    last = values[at];
    --balance[values[at]];
  }
  return count;
}

void expect_balanced(const balance_of_values& here) {
  struct entry {
    std::uint64_t value;
    std::int64_t balance;
  };
  std::vector<entry> mine;
  for (const auto& [value, count] : here) {
    if (count != 0) mine.push_back({value, count});
  }
  balance_of_values together;
  for (const auto& part : acre::world().gatherv(std::span(mine), 0)) {
    for (const entry& each : part) together[each.value] += each.balance;
  }
  for (const auto& [value, count] : together) EXPECT_EQ(count, 0) << value;
}

TEST(FastQueue, LosesAndRepeatsNothing) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 common(seed);
  for (const std::uint64_t capacity : {1U, 3U, 64U, 1000U}) {
    std::mt19937_64 random(seed + 1 + acre::rank());
    const std::uint64_t before = std::uint64_t{0} - 2 * capacity;
    numbers queue(acre::world(), {static_cast<acre::rank_t>(common() % acre::size())}, capacity,
                  {.pushed = before, .popped = before});
    balance_of_values balance;
    std::uint64_t next = std::uint64_t{acre::rank()} << 32;
    for (int round = 0; round < 12; ++round) {
      for (int i = 0; i < 5; ++i) push_some(queue, random, capacity, next, balance);
      acre::barrier();
      const std::uint64_t there = queue.size();
      EXPECT_LE(there, queue.capacity());
      acre::barrier();
      std::uint64_t last = 0;
      std::uint64_t popped = 0;
      for (int i = 0; i < 3; ++i) popped += pop_some(queue, random, capacity, last, balance);
      const std::uint64_t all_popped = acre::world().allreduce(popped);
      EXPECT_EQ(queue.size(), there - all_popped);
      acre::barrier();
      if (round % 4 == 3) {
        queue.migrate({static_cast<acre::rank_t>(common() % acre::size())});
        queue.resize(std::max(queue.size(), 1 + common() % (2 * capacity)));
        EXPECT_EQ(queue.size(), there - all_popped);
        acre::barrier();
      }
    }
    while (const auto value = queue.pop()) --balance[*value];
    expect_balanced(balance);
    acre::barrier();
  }
}

struct odd_bytes {
  std::array<char, 4095> bytes;
};

TEST(FastQueue, TakesSpansThatNoMessageCarries) {
  fast_queue<odd_bytes> queue(acre::world(), {0}, 30);
  std::vector<odd_bytes> many(20);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].bytes.fill(static_cast<char>(i));
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(queue.push(many));
    EXPECT_EQ(queue.push_some(many), 10U);
    EXPECT_FALSE(queue.push(many));
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    std::vector<odd_bytes> out(25);
    EXPECT_TRUE(queue.pop(out));
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(out[i].bytes[4094], static_cast<char>(i % 20));
    }
    EXPECT_EQ(queue.pop_some(out), 5U);
  }
  acre::barrier();
  EXPECT_TRUE(queue.empty());
  acre::barrier();
}

TEST(FastQueue, TakesStrings) {
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    fast_queue<std::string> queue(acre::world(), {0}, 3UL * acre::size());
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(std::string(1000 * acre::rank(), 'x')));
    acre::barrier();
    std::vector<std::string> out(2);
    EXPECT_TRUE(queue.pop(out));
    EXPECT_EQ(out[1].size() % 1000, 0U);
    EXPECT_EQ(out[1].find_first_not_of('x'), std::string::npos);
    acre::barrier();
    queue.migrate({acre::size() - 1});
    EXPECT_EQ(queue.size(), acre::size());
    acre::barrier();
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

template <class Guarantee>
constexpr bool may_push(Guarantee guarantee) {
  return requires(numbers& queue) { queue.push(1, guarantee); };
}
static_assert(may_push(only<push>) && may_push(local) && !may_push(only<pop>));

TEST(FastQueue, CostsTwoOperations) {
  numbers queue(acre::world(), {0}, 4096);
  const std::array<std::uint64_t, 4> four{1, 2, 3, 4};
  std::array<std::uint64_t, 4> out{};
  const bool near = acre::runtime::node_of(0) == acre::runtime::node_of(acre::rank());
  const auto expect = [&](auto&& call, std::uint64_t reads, std::uint64_t writes) {
    const auto before = acre::counters();
    call();
    const auto used = acre::counters() - before;
    EXPECT_EQ(used.reads, near ? reads : 0);
    EXPECT_EQ(used.writes, near ? writes : 0);
    EXPECT_EQ(used.atomics, near ? 1 : 0);
    EXPECT_EQ(used.messages, near ? 0 : 1);
  };
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::barrier();
    if (acre::rank() != active) continue;
    expect([&] { EXPECT_TRUE(queue.push(1)); }, 0, 1);
    expect([&] { EXPECT_TRUE(queue.push(four)); }, 0, 4);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    EXPECT_TRUE(queue.push(0, local));
  }
  acre::barrier();
  if (acre::rank() == 0) {
    EXPECT_TRUE(queue.pop());
  }
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::barrier();
    if (acre::rank() != active) continue;
    expect([&] { EXPECT_TRUE(queue.pop()); }, 1, 0);
    expect([&] { EXPECT_TRUE(queue.pop(out)); }, 4, 0);
  }
  acre::barrier();
}

TEST(FastQueue, ReportsMixedPhases) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP();
  numbers queue(acre::world(), {0}, 8);
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(queue.push(1));
    EXPECT_NE(failure_of([&] { static_cast<void>(queue.pop()); }).find("guarantee is broken"),
              std::string::npos);
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_EQ(queue.pop(), 1U);
  }
  acre::barrier();
}

TEST(FastQueue, MovesEndsAndExplains) {
  numbers none;
  EXPECT_NE(failure_of([&] { none.push(1); }).find("fast_queue{"), std::string::npos);
  {
    const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
    numbers first(half, {0}, half.size());
    numbers second(half, {half.size() - 1}, 10);
    EXPECT_TRUE(first.push(acre::rank() % 2));
    half.barrier();
    none = std::move(first);
    EXPECT_EQ(none.pop(), acre::rank() % 2);
  }
  none.clear();
  none = numbers();
  const std::array<std::uint64_t, 2> two{1, 2};
  numbers of_none(acre::world(), {acre::size() - 1}, 0);
  EXPECT_FALSE(of_none.push(1));
  EXPECT_FALSE(of_none.push(two));
  EXPECT_EQ(of_none.push_some(two), 0U);
  EXPECT_TRUE(of_none.empty());
  acre::barrier();
  EXPECT_FALSE(of_none.pop());
}

}  // namespace
