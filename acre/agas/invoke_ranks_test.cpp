// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using acre::testing::other;

struct counter {
  explicit counter(int first = 0) : sum(first) {}
  int add(int more) { return sum += more; }
  [[nodiscard]] int value() const { return sum; }
  void fail() { throw std::runtime_error("no more"); }
  int sum = 0;
  std::vector<std::pair<acre::rank_t, int>> seen;
  void note(acre::rank_t who, int number) { seen.emplace_back(who, number); }
  friend auto acre_fields(counter& c) { return std::tie(c.sum, c.seen); }
};

TEST(InvokeSmoke, CallsAnObjectOfAnotherRank) {
  const auto made = acre::create_id<counter>(other(1), 5).get();
  EXPECT_EQ(acre::invoke(made, &counter::add, 3).get(), 8);
  acre::invoke_ff(made, &counter::add, 2);
  EXPECT_EQ(acre::invoke(made, &counter::value).get(), 10);
  EXPECT_EQ(
      acre::invoke(made, [](const counter& c, int times) { return c.sum * times; }, 3).get(), 30);
  EXPECT_EQ(acre::invoke(made, &counter::sum).get(), 10);
  acre::destroy(made).get();
  EXPECT_THROW(static_cast<void>(acre::invoke(made, &counter::value).get()), acre::error);
}

TEST(InvokeSmoke, BringsTheFailureBack) {
  const auto made = acre::create_id<counter>(other(1)).get();
  EXPECT_THROW(acre::invoke(made, &counter::fail).get(), acre::error);
  EXPECT_EQ(acre::invoke(made, &counter::value).get(), 0);
  acre::destroy(made).get();
}

struct large {
  unsigned char part[4 << 20];
};

TEST(Invoke, TakesAnArgumentThatIsTooLargeForTheStackSeveralTimes) {
  if (acre::rank() == 0) {
    const auto made = acre::create_id<counter>(other(1)).get();
    const auto argument = std::make_unique<large>();
    argument->part[sizeof(argument->part) - 1] = 7;
    const auto last_of = [](counter& c, const large& given) {
      return c.add(given.part[sizeof(given.part) - 1]);
    };
    EXPECT_EQ(acre::invoke(made, last_of, *argument).get(), 7);
    acre::destroy(made).get();
  }
  acre::barrier();
}

TEST(Invoke, RefusesCollectivesInAFunctionOfAnObject) {
  const auto made = acre::create_id<counter>(other(1)).get();
  try {
    acre::invoke(made, [](counter&) { acre::barrier(); }).get();
    ADD_FAILURE() << "it went through";
  } catch (const acre::error& refused) {
    EXPECT_NE(refused.problem().find("barrier: a collective call inside a function of an object"),
              std::string::npos)
        << refused.problem();
  }
  acre::destroy(made).get();
  acre::barrier();
}

TEST(MigrateSmoke, KeepsTheNameAndTheState) {
  const auto made = acre::create_id<counter>(other(1), 1).get();
  for (unsigned step = 0; step < 2 * acre::size(); ++step) {
    acre::migrate(made, other(step)).get();
    EXPECT_EQ(acre::is_here(made), step % acre::size() == 0);
    EXPECT_EQ(acre::invoke(made, &counter::add, 1).get(), static_cast<int>(step) + 2);
  }
  acre::destroy(made).get();
  acre::barrier();
}

TEST(MigrateSmoke, LosesDoublesAndReordersNoCall) {
  constexpr int rounds = 200;
  acre::object_id<counter> shared;
  if (acre::rank() == 0) shared = acre::create_id_here<counter>();
  shared = acre::world().broadcast(shared, 0);
  std::vector<acre::future<void>> moves;
  for (int i = 0; i < rounds; ++i) {
    acre::invoke_ff(shared, &counter::note, acre::rank(), i);
    if (i % 7 == 3) moves.push_back(acre::migrate(shared, other(static_cast<unsigned>(i))));
    if (i % 16 == 0) acre::progress();
  }
  for (auto& each : moves) each.get();
  acre::drain();
  if (acre::rank() == 0) {
    const auto seen = acre::invoke(shared, &counter::seen).get();
    EXPECT_EQ(seen.size(), rounds * acre::size());
    std::vector<int> next(acre::size());
    for (const auto& [who, number] : seen) EXPECT_EQ(number, next[who]++);
    acre::destroy(shared).get();
  }
  acre::barrier();
}

TEST(Streams, AreClosedWhereThereAreMany) {
  acre::agas::object_space& space = acre::agas::space();
  space.hints = {};
  const std::size_t before = std::exchange(space.most_entries, 8);
  constexpr unsigned objects = 60;
  std::vector<acre::object_id<counter>> made;
  for (unsigned i = 0; i < objects; ++i) {
    made.push_back(acre::create_id<counter>(other(i)).get());
    static_cast<void>(acre::migrate(made.back(), other(i / 2)));
  }
  for (int round = 0; round < 10; ++round) {
    for (const auto& each : made) acre::invoke_ff(each, &counter::note, acre::rank(), round);
  }
  for (const auto& each : made) {
    const auto seen = acre::invoke(each, &counter::seen).get();
    EXPECT_EQ(seen.size(), 10);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].second, int(i));
  }
  acre::drain();
  for (int round = 0; round < 200; ++round) acre::invoke(made[0], &counter::value).get();
  acre::drain();
  EXPECT_LE(space.streams.size(), 12);
  EXPECT_LE(space.hints.size(), 8);
  for (const auto& each : made) acre::destroy(each).get();
  space.most_entries = before;
  acre::barrier();
}

}  // namespace
