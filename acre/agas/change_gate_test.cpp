// SPDX-License-Identifier: BSD-3-Clause
// Opening and shutting of an object's gate (detail/change_gate.hpp).
#include <acre/agas/detail/change_gate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using acre::agas::change_gate;
using nanoseconds = change_gate::nanoseconds;
constexpr nanoseconds microsecond = 1'000;
constexpr nanoseconds millisecond = 1'000'000;

struct stream {
  nanoseconds length;
  nanoseconds distance;
};

nanoseconds time_until_change(const stream& calls) {
  struct call {
    nanoseconds end;
    std::uint32_t era;
    nanoseconds began;
  };
  std::vector<call> running;
  for (nanoseconds t = 0; t < calls.length; t += calls.distance)
    running.push_back({t + calls.length, 0, 0});
  const nanoseconds start = calls.length;
  change_gate gate(start, 1);
  std::size_t kept_out = 0;
  const nanoseconds step = std::min(calls.distance, 100 * microsecond);
  for (nanoseconds now = start;; now += step) {
    if (gate.advance(now)) {
      for (; kept_out != 0; --kept_out)
        running.push_back({now + calls.length, gate.era(), gate.open_time(now)});
    }
    std::erase_if(running, [&](const call& each) {
      if (each.end > now) return false;
      gate.note_call(each.era, each.began, now);
      return true;
    });
    if (running.empty() || now > 1000 * calls.length) return now - start;
    if (now % calls.distance >= step) continue;
    if (gate.is_open()) {
      running.push_back({now + calls.length, gate.era(), gate.open_time(now)});
    } else {
      ++kept_out;
    }
  }
}

TEST(ChangeGate, LetsAChangeBeginAmongCallsThatOverlap) {
  for (const nanoseconds length :
       {20 * microsecond, millisecond, 10 * millisecond, 300 * millisecond}) {
    for (const nanoseconds part : {2, 10}) {
      EXPECT_LT(time_until_change({.length = length, .distance = length / part}),
                10 * length + 4 * millisecond)
          << length;
    }
  }
}

TEST(ChangeGate, IsOpenForHalfOfTheTime) {
  change_gate gate(0, 1);
  for (nanoseconds now = 0; now < 100 * millisecond; now += 100 * microsecond) gate.advance(now);
  EXPECT_NEAR(double(gate.open_time(100 * millisecond)), 50e6, 3e6);
  EXPECT_EQ(gate.era(), 50U);
}

TEST(ChangeGate, DoesNotMeasureCallsThatBeganBeforeIt) {
  change_gate gate(0, 5);
  while (!gate.advance(20 * millisecond)) continue;
  gate.note_call(0, 0, 20 * millisecond);
  gate.note_call(4, -300 * millisecond, 20 * millisecond);
  EXPECT_FALSE(gate.advance(21 * millisecond));
  EXPECT_TRUE(gate.advance(22 * millisecond));
}

TEST(ChangeGate, DoesNotCountTheTimeInWhichItIsShut) {
  constexpr nanoseconds needs = 3 * millisecond;
  change_gate gate(0, 1);
  nanoseconds now = 0;
  const auto pass_until = [&](auto&& is_so) {
    while (!is_so()) gate.advance(now += 100 * microsecond);
  };
  constexpr int calls = 50;
  for (int i = 0; i < calls; ++i) {
    pass_until([&] { return gate.is_open(); });
    const nanoseconds began = gate.open_time(now);
    const nanoseconds comes = now + needs;
    pass_until([&] { return now >= comes && gate.is_open(); });
    gate.note_call(gate.era(), began, now);
  }
  EXPECT_LT(now, calls * 8 * needs);
}

}  // namespace
