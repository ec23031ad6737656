// SPDX-License-Identifier: BSD-3-Clause
// Counters of puts and gets on one line.
#include <acre/fabric/direct_line.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using acre::fabric::direct_line;

struct fake_network {
  std::atomic<std::uint64_t> gets{0};
  direct_line line;

  fake_network() {
    line.gets.counter = &gets;
    line.gets.read = [](void* counter) {
      return static_cast<std::atomic<std::uint64_t>*>(counter)->load();
    };
  }
  [[nodiscard]] bool is_quiet() const { return line.completed == line.issued; }
};

TEST(DirectLine, KnowsPutsFromGets) {
  fake_network network;
  direct_line& line = network.line;
  line.issued += 2;
  line.begin(line.gets);
  EXPECT_FALSE(line.has_issued_only(1));
  EXPECT_TRUE(line.has_issued_only(2));
  EXPECT_FALSE(line.gets.is_quiet());
  line.completed = 2;
  EXPECT_FALSE(network.is_quiet()) << "a get is under way";
  EXPECT_EQ(line.notice(line.gets), 0U);
  network.gets = 1;
  EXPECT_FALSE(network.is_quiet());
  EXPECT_EQ(line.notice(line.gets), 1U);
  EXPECT_TRUE(network.is_quiet());
  EXPECT_TRUE(line.gets.is_quiet());
}

TEST(DirectLine, ForgetsRefusedGets) {
  fake_network network;
  direct_line& line = network.line;
  line.begin(line.gets);
  direct_line::refuse(line.gets);
  EXPECT_FALSE(line.has_issued_only(0)) << "in doubt, until the caller decrements issued";
  --line.issued;
  EXPECT_TRUE(line.has_issued_only(0));
  EXPECT_TRUE(line.gets.is_quiet());
}

/// A thread issues, refuses and completes gets; another puts, and asks after its own puts only.
TEST(DirectLine, NeverCallsAPutCompleteTooEarly) {
  fake_network network;
  direct_line& line = network.line;
  std::atomic<bool> stop{false};
  std::thread gets([&] {
    while (!stop) {
      line.begin(line.gets);
      line.begin(line.gets);
      direct_line::refuse(line.gets);
      --line.issued;
      ++network.gets;
      line.notice(line.gets);
    }
  });
  for (std::uint64_t puts = 1; puts <= 20'000; ++puts) {
    ++line.issued;
    ASSERT_FALSE(line.has_issued_only(puts - 1)) << puts;
  }
  stop = true;
  gets.join();
  EXPECT_TRUE(line.has_issued_only(20'000));
}

}  // namespace
