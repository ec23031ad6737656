// Moves, ends and calls that wait: what a running call waits for gets in, and a wait that can never
// end is an error.
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/global/future/shared_future.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/stall_watch.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

acre::rank_t other(unsigned steps = 1) { return (acre::rank() + steps) % acre::size(); }

class actor;
using actor_id = acre::object_id<actor>;

/// Calls of actors by their names, which travel.
class actor {
 public:
  long number() const { return 7; }
  long exclusive_number() { return ++calls_; }

  // What may run beside others.
  acre::task<long> move_and_call(actor_id me, acre::rank_t to) {
    auto moved = acre::migrate(me, to);
    const long x = co_await acre::invoke(me, &actor::number);
    co_return x + co_await acre::invoke(me, &actor::number);
  }
  acre::task<int> pass(std::vector<actor_id> ring, std::size_t at, int left) {
    if (left == 0) co_return 0;
    const std::size_t next = (at + 1) % ring.size();
    co_return 1 + co_await acre::invoke(ring[next], &actor::pass, ring, next, left - 1);
  }
  long move_and_get(actor_id me, acre::rank_t to) {
    auto moved = acre::migrate(me, to);
    return acre::invoke(me, &actor::exclusive_number).get();
  }
  acre::task<long> end_and_call(actor_id me) {
    auto gone = acre::destroy(me);
    co_return co_await acre::invoke(me, &actor::number);
  }
  acre::task<int> there_and_back(actor_id me, actor_id to, int depth) {
    if (depth == 0) co_return 0;
    co_return 1 + co_await acre::invoke(to, &actor::there_and_back, to, me, depth - 1);
  }
  acre::future<long> call_from(acre::rank_t helper, actor_id me) {
    return acre::rpc(helper, [](actor_id a) { return acre::invoke(a, &actor::number); }, me);
  }
  acre::future<long> await_signal() {
    signal_.emplace();
    return signal_->get_future();
  }
  void signal(long value) { signal_->set_value(value); }
  acre::task<void> be_busy(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) co_await acre::rpc(other(), [] {});
  }
  /// Keeps itself alive for ever, if nobody moves it.
  acre::task<void> tick(actor_id me, bool is_awaited, acre::rank_t until) {
    for (int i = 0; i < 20 && acre::rank() != until; ++i) {
      co_await acre::rpc(other(), [] {});
      if (i != 10) continue;
      if (is_awaited) {
        static_cast<void>(acre::invoke(me, &actor::tick, me, is_awaited, until));
      } else {
        acre::invoke_ff(me, &actor::tick, me, is_awaited, until);
      }
    }
  }

  // What runs alone.
  acre::task<long> call_concurrent(actor_id me) {
    acre::invoke_ff(me, &actor::exclusive_number);  // waits until this has ended
    co_return co_await acre::invoke(me, &actor::number);
  }
  long call_alone(actor_id me) { return acre::invoke(me, &actor::exclusive_number).get(); }
  acre::task<long> await_alone(actor_id me) {
    co_return co_await acre::invoke(me, &actor::exclusive_number);
  }
  long call_by_rpc(acre::rank_t helper, actor_id me) {
    return acre::rpc(
               helper, [](actor_id a) { return acre::invoke(a, &actor::exclusive_number).get(); },
               me)
        .get();
  }
  long call_other(actor_id to, actor_id back) {
    return acre::invoke(to, &actor::call_alone, back).get();
  }
  acre::task<long> await_other(actor_id to, actor_id back) {
    co_return co_await acre::invoke(to, &actor::await_alone, back);
  }
  /// Calls the other one when both run.
  long cross(actor_id to) {
    meet();
    return acre::invoke(to, &actor::exclusive_number).get();
  }
  /// The same by a concurrent call, which begins behind another one of its own.
  long cross_behind(actor_id to) {
    meet();
    acre::invoke_ff(to, &actor::exclusive_number);
    return acre::invoke(to, &actor::number).get();
  }
  /// Goes along a ring by concurrent calls.
  acre::task<int> round(std::vector<actor_id> ring, std::size_t at) {
    co_return co_await acre::invoke(ring[at], &actor::pass, ring, at, 2 * int(ring.size()));
  }

  // Waits for the object's own move or end.
  void get_moved(actor_id me, acre::rank_t to) { acre::migrate(me, to).get(); }
  acre::task<void> await_moved(actor_id me, acre::rank_t to) { co_await acre::migrate(me, to); }
  acre::future<void> then_moved(actor_id me, acre::rank_t to) {
    return acre::migrate(me, to).then([] {});
  }
  acre::task<void> await_shared(actor_id me, acre::rank_t to) {
    const auto shared = acre::migrate(me, to).share();
    co_await shared;
  }
  void get_gone(actor_id me) { acre::destroy(me).get(); }
  acre::task<void> await_moved_by(actor_id by, actor_id me, acre::rank_t to) {
    co_await acre::invoke(by, &actor::await_moved, me, to);
  }
  void get_moved_by(actor_id by, actor_id me, acre::rank_t to) {
    acre::invoke(by, &actor::get_moved, me, to).get();
  }
  /// Nobody waits for what is begun here.
  void begin_move(actor_id me, acre::rank_t to) {
    static_cast<void>([](actor_id moves, acre::rank_t there) -> acre::task<void> {
      co_await acre::migrate(moves, there);
    }(me, to));
  }

  /// Does not wait for the coroutine that it begins, which blocks a thread later.
  acre::task<long> begin_blocking_move(actor_id me, acre::rank_t to) {
    static_cast<void>([](actor_id moves, acre::rank_t there) -> acre::task<void> {
      co_await acre::rpc(other(), [] {});
      acre::migrate(moves, there).get();
    }(me, to));
    co_await be_busy(std::chrono::milliseconds(30));
    co_return 1;
  }

  static constexpr std::tuple acre_concurrent{&actor::begin_blocking_move,

                                              &actor::number,
                                              &actor::pass,
                                              &actor::move_and_call,
                                              &actor::move_and_get,
                                              &actor::end_and_call,
                                              &actor::there_and_back,
                                              &actor::call_from,
                                              &actor::await_signal,
                                              &actor::signal,
                                              &actor::be_busy,
                                              &actor::tick,
                                              &actor::begin_move,
                                              &actor::get_gone,
                                              &actor::await_moved_by,
                                              &actor::get_moved_by};
  friend auto acre_fields(actor& a) { return std::tie(a.calls_); }

 private:
  static void meet() {
    static int met = 0;
    acre::rpc(0, [] { ++met; }).get();
    while (acre::rpc(0, [] { return met; }).get() % 2 != 0) {
    }
  }

  long calls_ = 0;
  std::optional<acre::promise<long>> signal_;
};

/// Of rank 0, on that rank: the others wait for it in a barrier.
template <class Test>
void on_first_rank(Test&& test) {
  if (acre::rank() == 0) test();
  acre::drain();
}
actor_id on(acre::rank_t home) { return acre::create_id<actor>(home).get(); }

// --- what runs has to end ----------------------------------------------------------------

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

// Earlier calls of the same ranks wait at all of these objects, for each other's concurrent calls.
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
    // Nobody knows that one of these depends on the other.
    auto answer = acre::invoke(a, &actor::await_signal);
    acre::invoke(a, &actor::number).get();  // begins behind it
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

/// Moves, and is called in the hook that tells it so.
class hooked {
 public:
  acre::object_id<hooked> me;
  std::string failure;
  void know(acre::object_id<hooked> own) { me = own; }
  friend auto acre_fields(hooked& h) { return std::tie(h.me, h.failure); }
  friend void acre_after_move(hooked& h) {
    try {
      acre::invoke(h.me, &hooked::know, h.me).get();
    } catch (const acre::error& failed) {
      h.failure = failed.problem();
    }
  }
};

class walker;
using walker_id = acre::object_id<walker>;
std::vector<walker_id> walkers;
std::mt19937 draw;

bool chance(unsigned percent) { return draw() % 100 < percent; }
walker_id any_walker() { return walkers[draw() % walkers.size()]; }
acre::rank_t any_rank() { return acre::rank_t(draw() % acre::size()); }

/// Calls others, and itself, in all ways that are right.
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

// --- and what waits has to begin ---------------------------------------------------------

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

// --- what can never begin ----------------------------------------------------------------

/// The call fails, and says of what object, and what runs on it.
template <class Result>
void expect_endless(acre::future<Result> call, actor_id object) {
  try {
    static_cast<void>(call.get());
    ADD_FAILURE() << "no error";
  } catch (const acre::error& failed) {
    const std::string said = failed.problem_and_advice();
    for (const std::string& part : {to_string(object.name()), std::string("can never begin")}) {
      EXPECT_NE(said.find(part), std::string::npos) << said;
    }
  }
}

TEST(Waits, AreErrorsForTheMoveOfWhatWaits) {
  on_first_rank([] {
    const actor_id a = on(other());
    expect_endless(acre::invoke(a, &actor::get_moved, a, acre::rank()), a);
    expect_endless(acre::invoke(a, &actor::await_moved, a, acre::rank()), a);
    expect_endless(acre::invoke(a, &actor::then_moved, a, acre::rank()), a);
    expect_endless(acre::invoke(a, &actor::await_shared, a, acre::rank()), a);
    expect_endless(acre::invoke(a, &actor::get_gone, a), a);
    const actor_id b = on(acre::rank());
    expect_endless(acre::invoke(a, &actor::await_moved_by, b, a, acre::rank()), a);
    expect_endless(acre::invoke(a, &actor::get_moved_by, b, a, acre::rank()), a);
    acre::migrate(a, acre::rank()).get();  // nothing is left of all that
    const acre::pinned<actor> here(a);
    expect_endless(acre::migrate(a, other()), a);
    expect_endless(acre::destroy(a), a);
  });
}

TEST(Waits, AreErrorsForMovesOfWhatRanksHavePinnedThatWaitForEachOther) {
  if (acre::size() == 1) return;
  const actor_id mine = on(acre::rank());
  const auto all = acre::world().allgather(mine);
  bool has_failed = false;
  {
    const acre::pinned<actor> here(mine);
    acre::barrier();
    try {
      acre::migrate(all[other()], acre::rank()).get();
    } catch (const acre::error& failed) {
      has_failed = true;
      EXPECT_NE(std::string(failed.what()).find("1 pin"), std::string::npos) << failed.what();
    }
  }
  EXPECT_TRUE(acre::world().allreduce(has_failed, acre::op::logical_or));
  acre::drain();
}

/// A continuation that drain() runs ends the pin of its caller: the move that waits for it is
/// right.
TEST(Waits, OfDrainEndWhereItRunsWhatEndsThePin) {
  static std::optional<acre::pinned<actor>>* the_pin = nullptr;
  const actor_id a = acre::world().broadcast(acre::rank() == 0 ? on(0) : actor_id(), 0);
  std::optional<acre::pinned<actor>> here;
  if (acre::rank() == 0) here.emplace(a);
  the_pin = &here;
  acre::barrier();
  const bool asks = acre::rank() == acre::size() - 1;
  acre::future<> moved;
  if (asks) {
    moved = acre::migrate(a, acre::rank());
    acre::rpc_ff(0, [] {
      const auto later = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
      while (std::chrono::steady_clock::now() < later) acre::progress();
      the_pin->reset();
    });
  }
  acre::drain();
  if (asks) moved.get();
  acre::barrier();
  if (asks) acre::destroy(a).get();
  acre::drain();
}

TEST(Waits, AreErrorsThroughRpcs) {
  if (acre::size() == 1) return;
  on_first_rank([] {
    const auto expect_endless_there = [](acre::rank_t there, auto f, auto... arguments) {
      try {
        acre::rpc(there, f, arguments...).get();
        ADD_FAILURE() << "no error";
      } catch (const acre::error& failed) {
        EXPECT_NE(std::string(failed.what()).find("can never begin"), std::string::npos)
            << failed.what();
      }
    };
    const auto move = [](actor_id a) { acre::migrate(a, acre::rank()).get(); };
    const auto end = [](actor_id a) { acre::destroy(a).get(); };
    // By way of a third rank, and back here.
    const auto pass = [](actor_id a) {
      acre::rpc(0, [](actor_id b) { acre::destroy(b).get(); }, a).get();
    };
    const actor_id a = on(acre::rank());
    {
      const acre::pinned<actor> here(a);
      expect_endless_there(other(), move, a);
      expect_endless_there(other(), end, a);
      expect_endless_there(other(2), pass, a);
      EXPECT_EQ(acre::rpc(
                    other(), [](actor_id b) { return acre::invoke(b, &actor::number).get(); }, a)
                    .get(),
                7);
    }
    // A function of an object that waits for an RPC, which waits for the object.
    const actor_id b = on(other());
    expect_endless(acre::invoke(b, &actor::call_by_rpc, acre::rank(), b), b);
    EXPECT_EQ(acre::invoke(b, &actor::exclusive_number).get(), 1);
    acre::rpc(other(), move, a).get();
    EXPECT_FALSE(acre::is_here(a));
  });
}

/// The end of an unreferenced object waits for a call, and then also for a pin that was made
/// meanwhile: drain() waits for the call only.
TEST(Waits, OfDrainAreNotForPinsThatAreMadeWhileAnEndWaits) {
  auto ref = acre::create_here<actor>();
  const actor_id a = ref.id();
  auto number = acre::invoke(a, &actor::await_signal);
  ref = {};
  for (int i = 0; i < 10; ++i) acre::progress();
  {
    const acre::pinned<actor> here(a);
    ASSERT_TRUE(here);
    acre::invoke(a, &actor::signal, 3L).get();
    EXPECT_EQ(number.get(), 3);
    acre::drain();
    EXPECT_TRUE(acre::is_here(a));
  }
  acre::drain();
  EXPECT_FALSE(acre::is_here(a));
  acre::barrier();
}

TEST(Waits, AreErrorsForACallOfWhatRunsAlone) {
  on_first_rank([] {
    const actor_id a = on(other());
    const actor_id b = on(other(2));
    expect_endless(acre::invoke(a, &actor::call_alone, a), a);
    expect_endless(acre::invoke(a, &actor::await_alone, a), a);
    expect_endless(acre::invoke(a, &actor::call_other, b, a), a);
    expect_endless(acre::invoke(a, &actor::await_other, b, a), a);
    EXPECT_EQ(acre::invoke(a, &actor::exclusive_number).get(), 1);
  });
}

TEST(Waits, AreErrorsForACallInTheHookOfAMove) {
  if (acre::size() == 1) return;
  on_first_rank([] {
    const auto a = acre::create_id_here<hooked>();
    acre::invoke(a, &hooked::know, a).get();
    acre::migrate(a, other()).get();
    const std::string said = acre::invoke(a, &hooked::failure).get();
    EXPECT_NE(said.find("can never begin"), std::string::npos) << said;
  });
}

/// b's function runs in the wait of a's, on the same stack, and waits for the end of that.
TEST(Waits, AreErrorsForCallsThatAreNestedInWhatTheyWaitFor) {
  if (acre::size() == 1) return;
  on_first_rank([] {
    static int waits = 0;
    waits = 0;
    const actor_id a = on(other());
    const actor_id b = on(other());
    auto outer = acre::invoke(
        a,
        [](actor&, acre::rank_t first) {
          acre::rpc(first, [] { waits = 1; }).get();
          while (acre::rpc(first, [] { return waits; }).get() != 2) {
          }
        },
        acre::rank());
    acre::wait_until([] { return waits == 1; });
    auto inner = acre::invoke(b, &actor::call_alone, a);
    expect_endless(std::move(inner), a);
    waits = 2;
    outer.get();
  });
}

TEST(Waits, AreErrorsForCallsThatCross) {
  on_first_rank([] {
    for (const auto second : {&actor::cross, &actor::cross_behind}) {
      const actor_id a = on(other());
      const actor_id b = on(other(2));
      auto one = acre::invoke(a, &actor::cross, b);
      auto two = acre::invoke(b, second, a);
      int failures = 0;
      for (auto* each : {&one, &two}) {
        try {
          EXPECT_GT(each->get(), 0);
        } catch (const acre::error&) {
          ++failures;
        }
      }
      EXPECT_GT(failures, 0);
    }
  });
}

// --- what the stall watch says -----------------------------------------------------------

TEST(Waits, AreDescribedWithTheirObjectsByTheStallWatch) {
  if (acre::size() == 1) return;
  acre::runtime::set_stall_limit(std::chrono::hours(1));  // details are kept, and none is said
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
      expect(0, {"in use by 1 pin; waiting: the move that rank 1 has asked for"});
    }
  }
  acre::barrier();
  acre::runtime::set_stall_limit(std::chrono::milliseconds(0));
  acre::barrier();
}

}  // namespace
