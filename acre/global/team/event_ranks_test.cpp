// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/team/event.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::event;
using acre::rank_t;

std::uint64_t many_rounds() { return acre::node().size() == acre::size() ? 200 : 60; }

TEST(EventSmoke, ShowsWhatWasWrittenBefore) {
  const rank_t me = acre::rank();
  const rank_t next = (me + 1) % acre::size();
  const rank_t last = (me + acre::size() - 1) % acre::size();
  event arrived(acre::world());
  event taken(acre::world());
  acre::symmetric_array<std::uint64_t> box(acre::world(), 40);
  std::uint64_t wrong = 0;
  for (std::uint64_t round = 1; round <= many_rounds(); ++round) {
    for (std::ptrdiff_t i = 0; i < 40; ++i) acre::put_nbi(box.pointer(next) + i, round + me);
    arrived.post(next);
    arrived.wait();
    for (const std::uint64_t each : box.local()) wrong += each == round + last ? 0 : 1;
    taken.post(last);
    taken.wait();
  }
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(arrived.query(), 0U);
}

TEST(EventSmoke, BringsDataAndPostInOne) {
  const rank_t next = (acre::rank() + 1) % acre::size();
  const rank_t last = (acre::rank() + acre::size() - 1) % acre::size();
  event arrived(acre::world());
  event taken(acre::world());
  acre::symmetric_array<std::uint32_t> box(acre::world(), 50);
  std::uint64_t wrong = 0;
  for (std::uint32_t round = 1; round <= 60; ++round) {
    const std::vector<std::uint32_t> values(1 + round % 50, round + acre::rank());
    arrived.post(next, box.pointer(next), values);
    arrived.wait();
    for (std::size_t i = 0; i < values.size(); ++i) {
      wrong += box.local()[i] == round + last ? 0 : 1;
    }
    taken.post(acre::world()[last]);
    taken.wait();
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(Event, CountsPostsOfManyAndTakesSeveral) {
  event arrived(acre::world());
  const std::uint64_t rounds = many_rounds() / 4;
  for (std::uint64_t i = 0; i < rounds; ++i) arrived.post(0);
  if (acre::rank() == 0) {
    arrived.wait(rounds * acre::size() - 1);
    arrived.wait();
    EXPECT_EQ(arrived.query(), 0U);
    EXPECT_FALSE(arrived.try_wait());
    arrived.post(0);
    acre::quiet();
    EXPECT_FALSE(arrived.try_wait(2));
    EXPECT_EQ(arrived.query(), 1U);
    EXPECT_TRUE(arrived.try_wait());
    arrived.wait(0);
  }
  acre::barrier();
  EXPECT_EQ(arrived.query(), 0U);
}

TEST(Event, BelongsToATeamAndMoves) {
  const int color = static_cast<int>(acre::rank() % 2);
  const acre::team half = acre::world().split(color, -static_cast<int>(acre::rank()));
  event none;
  EXPECT_FALSE(none);
  EXPECT_THROW(none.post(0), acre::error);
  EXPECT_THROW(none.wait(), acre::error);
  std::vector<event> events;
  for (int i = 0; i < 3; ++i) events.emplace_back(half);
  none = std::move(events[1]);
  none.post((half.rank() + 1) % half.size());
  none.wait();
  EXPECT_EQ(events[2].query(), 0U);
  EXPECT_THROW(none.post(half.size()), acre::error);
}

TEST(Event, CostsAnAtomicToPostAndNothingToTake) {
  event arrived(acre::world());
  const rank_t next = (acre::rank() + 1) % acre::size();
  const auto before = acre::counters();
  arrived.post(next);
  EXPECT_EQ((acre::counters() - before).atomics, 1U);
  arrived.wait();
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.atomics, 1U);
  EXPECT_EQ(spent.reads + spent.writes + spent.barriers, 0U);
  acre::barrier();
}

TEST(Event, IsAnErrorForThoseWhoWaitForOneThatHasLeft) {
  if (acre::size() == 1) return;
  const acre::team all = acre::world().split(0);
  std::string told;
  try {
    event arrived(all);
    if (acre::rank() == 0) {
      arrived.post(1);
      throw std::runtime_error("met by rank 0");
    }
    if (acre::rank() == 1) arrived.wait();
    arrived.wait();
  } catch (const acre::error& failed) {
    told = failed.problem();
  } catch (const std::runtime_error& failed) {
    told = failed.what();
  }
  EXPECT_EQ(told, acre::rank() == 0 ? "met by rank 0"
                                    : "a member of the event's team has left by an exception");
  acre::barrier();
}

}  // namespace
