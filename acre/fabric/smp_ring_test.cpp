// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/smp_ring.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

using acre::fabric::message;
using acre::fabric::message_header;
using acre::fabric::smp_ring;
using acre::fabric::word;

struct zeroed_ring {
  smp_ring* ring = static_cast<smp_ring*>(std::aligned_alloc(64, sizeof(smp_ring)));
  zeroed_ring() { std::memset(static_cast<void*>(ring), 0, sizeof(smp_ring)); }
  ~zeroed_ring() { std::free(ring); }
  zeroed_ring(const zeroed_ring&) = delete;
  zeroed_ring& operator=(const zeroed_ring&) = delete;
};

message_header header_for(std::size_t payload, std::size_t arguments, std::uint32_t source) {
  return {.payload_bytes = static_cast<std::uint32_t>(payload),
          .handler = 7,
          .argument_count = static_cast<std::uint8_t>(arguments),
          .source = source};
}

TEST(SmpRing, HandsAMessageOutAsItWentIn) {
  const zeroed_ring memory;
  smp_ring::cursor cursor(*memory.ring);
  std::atomic<std::uint64_t> seen{0};
  EXPECT_FALSE(cursor.ready());
  const word arguments[] = {1, 2, 3};
  const char text[] = "a payload";
  ASSERT_TRUE(memory.ring->try_push(seen, header_for(sizeof text, 3, 5), arguments, text));
  EXPECT_TRUE(cursor.ready());
  const bool popped = cursor.pop([&](const message& received) {
    EXPECT_EQ(received.header.source, 5U);
    EXPECT_EQ(received.header.handler, 7U);
    EXPECT_EQ(received.header.flags, 0U);
    EXPECT_EQ(std::vector(received.arguments.begin(), received.arguments.end()),
              std::vector<word>({1, 2, 3}));
    EXPECT_STREQ(reinterpret_cast<const char*>(received.payload.data()), text);
  });
  EXPECT_TRUE(popped);
  EXPECT_FALSE(cursor.ready());
}

TEST(SmpRing, RefusesWhenFullAndTakesAgainWhenDrained) {
  const zeroed_ring memory;
  smp_ring::cursor cursor(*memory.ring);
  std::atomic<std::uint64_t> seen{0};
  std::size_t pushed = 0;
  while (memory.ring->try_push(seen, header_for(0, 0, 0), nullptr, nullptr)) ++pushed;
  EXPECT_EQ(pushed, smp_ring::cell_count);
  EXPECT_TRUE(cursor.pop([](const message&) {}));
  EXPECT_TRUE(memory.ring->try_push(seen, header_for(0, 0, 0), nullptr, nullptr));
  EXPECT_FALSE(memory.ring->try_push(seen, header_for(0, 0, 0), nullptr, nullptr));
}

TEST(SmpRing, SurvivesManyLapsOfOddSizes) {
  const zeroed_ring memory;
  smp_ring::cursor cursor(*memory.ring);
  std::atomic<std::uint64_t> seen{0};
  const auto seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937 random(seed);
  // A stale word taken for a header would be invalid.
  const std::vector<std::byte> payload(smp_ring::max_message_bytes, std::byte{0xff});
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t bytes = random() % 5 == 0 ? random() % 60'000 : random() % 200;
    ASSERT_TRUE(memory.ring->try_push(seen, header_for(bytes, 0, 1), nullptr, payload.data()));
    ASSERT_TRUE(cursor.pop([&](const message& received) {
      ASSERT_EQ(received.payload.size(), bytes) << "seed " << seed << " message " << i;
    }));
    ASSERT_FALSE(cursor.ready()) << "seed " << seed << " message " << i;
  }
}

TEST(SmpRing, KeepsTheOrderOfEachOfManyProducers) {
  const zeroed_ring memory;
  smp_ring::cursor cursor(*memory.ring);
  constexpr std::uint32_t producers = 6;
  constexpr word messages = 20'000;
  std::vector<std::jthread> threads;
  for (std::uint32_t producer = 0; producer < producers; ++producer) {
    threads.emplace_back([&memory, producer] {
      std::atomic<std::uint64_t> seen{0};
      std::mt19937 random(producer);
      std::vector<word> payload(512, producer);
      for (word number = 0; number < messages; ++number) {
        payload[0] = number;
        const std::size_t words = 1 + random() % payload.size();
        payload[words - 1] += words == 1 ? 0 : number;
        while (!memory.ring->try_push(seen, header_for(words * sizeof(word), 1, producer), &number,
                                      payload.data())) {
          ::sched_yield();
        }
        payload[words - 1] = words == 1 ? number : producer;
      }
    });
  }
  std::vector<word> next(producers, 0);
  for (word taken = 0; taken < producers * messages;) {
    const bool popped = cursor.pop([&](const message& received) {
      const std::uint32_t producer = received.header.source;
      ASSERT_LT(producer, producers);
      ASSERT_EQ(received.arguments[0], next[producer]);
      const auto* words = reinterpret_cast<const word*>(received.payload.data());
      const std::size_t count = received.payload.size() / sizeof(word);
      ASSERT_EQ(words[0], next[producer]);
      if (count > 1) {
        ASSERT_EQ(words[count - 1], producer + next[producer]);
      }
      ++next[producer];
    });
    if (popped) {
      ++taken;
    } else {
      ::sched_yield();
    }
    if (HasFatalFailure()) break;
  }
  EXPECT_EQ(next, std::vector<word>(producers, messages));
}

}  // namespace
