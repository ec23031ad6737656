// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/scotch/in_child.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <unistd.h>

namespace {

using acre::machines::computed_in_child;
using clock_type = std::chrono::steady_clock;
using std::chrono::milliseconds;

TEST(InChild, ComputesWhatTheParentGets) {
  int changed = 0;
  const auto made = computed_in_child(
      [&] {
        changed = 1;
        return std::vector<std::uint32_t>(100'000, 7);
      },
      clock_type::now() + std::chrono::minutes(1));
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, std::vector<std::uint32_t>(100'000, 7));
  EXPECT_EQ(changed, 0);
  const auto nothing = computed_in_child([] { return std::vector<std::uint32_t>(); },
                                         clock_type::now() + std::chrono::minutes(1));
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
}

TEST(InChild, EndsWhenItsTimeIsOver) {
  const auto begin = clock_type::now();
  const auto never = computed_in_child(
      []() -> std::vector<std::uint32_t> {
        std::this_thread::sleep_for(std::chrono::hours(1));
        return {};
      },
      begin + milliseconds(50));
  EXPECT_FALSE(never);
  EXPECT_GE(clock_type::now() - begin, milliseconds(50));
}

TEST(InChild, MayFailOrCrash) {
  const auto soon = clock_type::now() + std::chrono::minutes(1);
  EXPECT_FALSE(computed_in_child(
      []() -> std::vector<std::uint32_t> { throw acre::error("child", "does not take this"); },
      soon));
  EXPECT_FALSE(computed_in_child([]() -> std::vector<std::uint32_t> { ::_exit(0); }, soon));
}

}  // namespace
