// SPDX-License-Identifier: BSD-3-Clause
// Waits for moves, ends and calls that complete.
#include "waits_actor_test.hpp"
#include <acre/global/team/team.hpp>
#include <acre/runtime/stall_watch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace acre::agas::waits;

TEST(WaitsSmoke, LetCallsInThatARunningCallWaitsFor) {
  on_first_rank([] {
    const actor_id a = on(other());
    EXPECT_EQ(acre::invoke(a, &actor::move_and_call, a, acre::rank()).get(), 14);
    EXPECT_EQ(acre::invoke(a, &actor::move_and_get, a, other()).get(), 1);
    EXPECT_EQ(acre::invoke(a, &actor::call_concurrent, a).get(), 7);
    EXPECT_EQ(acre::invoke(a, &actor::end_and_call, a).get(), 7);
    EXPECT_THROW(acre::invoke(a, &actor::number).get(), acre::error);
  });
}

TEST(Waits, LetCallsInThroughOtherObjectsWhileTheseMove) {
  static actor_id a;
  static actor_id b;
  a = on(other());
  b = on(acre::rank());
  acre::barrier();
  std::vector<acre::future<int>> chains;
  for (int i = 0; i < 20; ++i) {
    chains.push_back(acre::invoke(a, &actor::there_and_back, a, b, 20));
    for (const actor_id moves : {a, b}) {
      acre::rpc_ff(
          other(2), [](actor_id m, acre::rank_t to) { static_cast<void>(acre::migrate(m, to)); },
          moves, other(unsigned(i)));
    }
  }
  for (auto& each : chains) EXPECT_EQ(each.get(), 20);
  acre::drain();
}

TEST(Waits, LetConcurrentCallsInBeforeWaitingOnesOfTheirRank) {
  std::vector<actor_id> ring;
  if (acre::rank() == 0) {
    for (unsigned i = 0; i < 4; ++i) ring.push_back(on(other(i)));
  }
  ring = acre::world().broadcast(ring, 0);
  std::vector<acre::future<int>> rounds;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    rounds.push_back(acre::invoke(ring[i], &actor::round, ring, i));
  }
  for (auto& each : rounds) EXPECT_EQ(each.get(), 8);
  acre::drain();
}

TEST(Waits, LetCallsInByRpcsAndOtherRanks) {
  on_first_rank([] {
    const actor_id a = on(other());
    for (unsigned helper = 0; helper < acre::size(); ++helper) {
      auto answer = acre::invoke(a, &actor::call_from, other(helper), a);
      auto moved = acre::migrate(a, other(helper));
      EXPECT_EQ(answer.get(), 7);
      moved.get();
    }
    auto answer = acre::invoke(a, &actor::await_signal);
    acre::invoke(a, &actor::number).get();
    auto moved = acre::migrate(a, other(2));
    acre::rpc(other(), [](actor_id x) { return acre::invoke(x, &actor::signal, 5L); }, a).get();
    EXPECT_EQ(answer.get(), 5);
    moved.get();
  });
}

TEST(Waits, LetCallsInToAPinnedObject) {
  on_first_rank([] {
    const actor_id a = on(acre::rank());
    acre::future<void> moved;
    {
      const acre::pinned<actor> here(a);
      moved = acre::migrate(a, other());
      EXPECT_EQ(acre::invoke(a, &actor::number).get(), 7);
      EXPECT_EQ(acre::invoke(a, &actor::exclusive_number).get(), 1);
      EXPECT_EQ(
          acre::rpc(
              other(), [](actor_id x) { return acre::invoke(x, &actor::exclusive_number); }, a)
              .get(),
          2);
    }
    moved.get();
    EXPECT_EQ(acre::is_here(a), acre::size() == 1);
  });
}

class walker;
using walker_id = acre::object_id<walker>;
std::vector<walker_id> walkers;
std::mt19937 draw;

bool chance(unsigned percent) { return draw() % 100 < percent; }
walker_id any_walker() { return walkers[draw() % walkers.size()]; }
acre::rank_t any_rank() { return acre::rank_t(draw() % acre::size()); }

class walker {
 public:
  int step() { return 1; }
  int step_alone() { return ++alone_; }
  acre::task<int> walk(walker_id me, int depth) {
    if (chance(30)) static_cast<void>(acre::migrate(me, any_rank()));
    if (depth == 0) co_return 1;
    std::vector<acre::future<int>> branches;
    for (int i = 0; i < 2; ++i) {
      const walker_id to = chance(30) ? me : any_walker();
      if (chance(20)) acre::invoke_ff(to, &walker::step_alone);
      if (chance(20)) {
        branches.push_back(acre::rpc(
            any_rank(), [](walker_id t, int d) { return acre::invoke(t, &walker::walk, t, d); }, to,
            depth - 1));
      } else if (chance(20)) {
        branches.push_back(acre::invoke(to, &walker::step_alone));
      } else {
        branches.push_back(acre::invoke(to, &walker::walk, to, depth - 1));
      }
    }
    for (auto& each : branches) co_await each;
    co_return 1;
  }
  acre::task<int> walk_alone(walker_id me) {
    co_await acre::invoke(me, &walker::step);
    if (chance(30)) static_cast<void>(acre::migrate(me, any_rank()));
    co_return co_await acre::invoke(me, &walker::walk, me, 0);
  }
  static constexpr std::tuple acre_concurrent{&walker::step, &walker::walk};
  friend auto acre_fields(walker& w) { return std::tie(w.alone_); }

 private:
  int alone_ = 0;
};

TEST(Waits, AreWithoutDeadlockInRandomPrograms) {
  const unsigned seed = acre::world().broadcast(std::random_device()(), 0);
  if (acre::rank() == 0) std::printf("seed %u\n", seed);
  draw.seed(seed + acre::rank());
  for (int round = 0; round < 5; ++round) {
    const auto mine = acre::create_id_here<walker>();
    walkers = acre::world().allgather(mine);
    if (walkers.size() > 3 && round % 2 != 0) walkers.resize(2);
    acre::barrier();
    std::vector<acre::future<int>> calls;
    std::vector<acre::future<void>> moves;
    for (int i = 0; i < 10; ++i) {
      const walker_id to = any_walker();
      calls.push_back(chance(20)   ? acre::invoke(to, &walker::walk_alone, to)
                      : chance(60) ? acre::invoke(to, &walker::walk, to, 3)
                                   : acre::invoke(to, &walker::step_alone));
      if (chance(40)) moves.push_back(acre::migrate(to, any_rank()));
      if (!chance(30)) continue;
      if (const acre::pinned<walker> here(to); here) {
        acre::invoke(to, &walker::step_alone).get();
        acre::invoke(any_walker(), &walker::walk, to, 1).get();
      }
    }
    for (auto& each : calls) each.get();
    for (auto& each : moves) each.get();
    acre::drain();
    acre::destroy(mine).get();
    acre::barrier();
  }
}

TEST(Waits, EndForAMoveAmongCallsThatOverlap) {
  on_first_rank([] {
    using std::chrono_literals::operator""ms;
    const actor_id a = on(other());
    std::vector<acre::future<void>> busy;
    acre::future<void> moved;
    int after = 0;
    for (int i = 0; i < 10'000 && after < 8; ++i) {
      busy.push_back(acre::invoke(a, &actor::be_busy, 4ms));
      if (i == 8) moved = acre::migrate(a, other(2));
      if (moved.is_valid() && moved.is_ready()) ++after;
      for (int k = 0; k < 10; ++k) acre::progress();
      acre::rpc(other(), [] {}).get();
    }
    EXPECT_EQ(after, 8);
    for (auto& each : busy) each.get();
  });
}

TEST(Waits, EndForAMoveOfAnObjectThatCallsItself) {
  if (acre::size() == 1) return;
  on_first_rank([] {
    for (const bool is_awaited : {false, true}) {
      const actor_id a = on(other());
      acre::invoke_ff(a, &actor::tick, a, is_awaited, acre::rank());
      acre::migrate(a, acre::rank()).get();
      EXPECT_TRUE(acre::is_here(a));
    }
  });
}

TEST(Waits, AreNoneOfAMoveThatACallHasOnlyBegun) {
  on_first_rank([] {
    const actor_id a = on(other());
    acre::invoke(a, &actor::begin_move, a, acre::rank()).get();
    while (!acre::is_here(a)) acre::progress();
    EXPECT_EQ(acre::invoke(a, &actor::begin_blocking_move, a, other()).get(), 1);
  });
}

TEST(Waits, AreDescribedWithTheirObjectsByTheStallWatch) {
  if (acre::size() == 1) return;
  acre::runtime::set_stall_limit(std::chrono::hours(1));
  static actor_id a;
  a = acre::world().broadcast(acre::rank() == 0 ? on(0) : actor_id(), 0);
  const auto expect = [](acre::rank_t rank, const std::vector<std::string>& parts) {
    std::string said;
    const auto is_all_said = [&] {
      said = acre::runtime::where_is(rank);
      return std::ranges::all_of(
          parts, [&](const auto& each) { return said.find(each) != std::string::npos; });
    };
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!is_all_said() && std::chrono::steady_clock::now() < give_up) acre::progress();
    EXPECT_TRUE(is_all_said()) << said;
  };
  const std::string name = to_string(a.name());
  if (acre::rank() == 1) {
    EXPECT_EQ(acre::invoke(a, &actor::await_signal).get(), 3);
    acre::migrate(a, 1).get();
  } else if (acre::rank() == 0) {
    expect(1, {"rank 1 waits in future::get", "for a call of " + name});
    expect(0, {"at its " + name, "a concurrent call of rank 1, whose future is not ready"});
    {
      const acre::pinned<actor> here(a);
      acre::invoke(a, &actor::signal, 3L).get();
      expect(1, {"for the move of " + name});
      expect(0, {"in use by 1 pin; waiting: the move that rank 1 requested"});
    }
  }
  acre::barrier();
  acre::runtime::set_stall_limit(std::chrono::milliseconds(0));
  acre::barrier();
}

}  // namespace
