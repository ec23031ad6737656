// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/core_share.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace {

using acre::runtime::core_share;
using namespace std::chrono_literals;

class CoreShare : public testing::Test {
 protected:
  void yield_for(core_share::clock::duration spent) {
    core.note_yield(now, now + spent);
    now += spent;
  }
  void pass(core_share::clock::duration time) { now += time; }
  [[nodiscard]] bool is_taken() { return core.may_be_taken() && core.is_taken(now); }

  core_share core;
  core_share::clock::time_point now{24h};
};

TEST_F(CoreShare, IsAloneAtFirst) {
  EXPECT_FALSE(core.has_ranks());
  EXPECT_FALSE(is_taken());
}

TEST_F(CoreShare, HasRanksWhileYieldsTakeMicroseconds) {
  yield_for(5us);
  EXPECT_TRUE(core.has_ranks());
  EXPECT_FALSE(is_taken());
  yield_for(300ns);
  EXPECT_FALSE(core.has_ranks());
}

TEST_F(CoreShare, HasRanksIfTheWakerRanOnIt) {
  core.note_wake_up(true);
  EXPECT_TRUE(core.has_ranks());
  core.note_wake_up(false);
  EXPECT_FALSE(core.has_ranks());
}

TEST_F(CoreShare, IsTakenForSomeMillisecondsAfterAYieldOfATimeSlice) {
  yield_for(3ms);
  EXPECT_FALSE(core.has_ranks());
  pass(5999us);
  EXPECT_TRUE(is_taken());
  pass(1us);
  EXPECT_FALSE(is_taken());
}

TEST_F(CoreShare, IsTakenForLongerIfAProgramComputesOn) {
  yield_for(3ms);
  for (const auto period : {12ms, 24ms, 48ms, 48ms}) {
    while (is_taken()) pass(1us);
    yield_for(3ms);
    pass(period - 1us);
    EXPECT_TRUE(is_taken());
    pass(1us);
    EXPECT_FALSE(is_taken());
  }
  pass(49ms);
  yield_for(3ms);
  pass(6ms);
  EXPECT_FALSE(is_taken());
}

}  // namespace
