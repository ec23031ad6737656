// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/window_excess.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace {

using acre::runtime::window_excess;
using namespace std::chrono_literals;

constexpr std::uint32_t window = 100;

class WindowExcess : public testing::Test {
 protected:
  bool ask(std::uint32_t under_way, acre::rank_t target = 1) {
    return excess_.allows(target, under_way, now_ += 1ms);
  }
  int wait(std::uint32_t under_way) {
    int asked = 1;
    while (!ask(under_way)) ++asked;
    return asked;
  }

 private:
  window_excess excess_{window};
  window_excess::time_point now_ = window_excess::time_point{} + 1h;
};

TEST_F(WindowExcess, IsAllowedAfterAWaitAndThenForAWholeWindow) {
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(ask(window));
  EXPECT_TRUE(ask(window));
  for (std::uint32_t more = 1; more < window; ++more) EXPECT_TRUE(ask(window + more));
  EXPECT_FALSE(ask(2 * window));
}

TEST_F(WindowExcess, NeedsNoMoreWaitsWhereTheTargetRunsAsMuchAsItIsSent) {
  wait(window);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(ask(window + 10));
    EXPECT_TRUE(ask(window + 90));
  }
}

TEST_F(WindowExcess, TakesLongerEachTimeForATargetThatRunsNothing) {
  int all = 0;
  std::uint32_t under_way = window;
  for (int waits = 0; waits < 8; ++waits) {
    all += wait(under_way);
    under_way += window;
  }
  EXPECT_GE(all, 10 + 20 + 40 + 80 + 160 + 320 + 640 + 1000);
  EXPECT_LE(wait(under_way), 1002);
}

TEST_F(WindowExcess, TakesAShortWaitAgainOnceTheTargetHasRunSomething) {
  wait(window);
  wait(2 * window);
  wait(3 * window);
  EXPECT_TRUE(ask(3 * window - 1));
  wait(4 * window);
  EXPECT_LE(wait(5 * window), 12);
}

TEST_F(WindowExcess, IsTakenBackWhenItIsNotNeededAnyMore) {
  for (std::uint32_t windows = 1; windows < 6; ++windows) wait(windows * window);
  EXPECT_TRUE(ask(window));
  EXPECT_FALSE(ask(2 * window));
}

TEST_F(WindowExcess, IsOfEachTargetAlone) {
  wait(window);
  EXPECT_TRUE(ask(window, 1));
  EXPECT_FALSE(ask(window, 2));
}

}  // namespace
