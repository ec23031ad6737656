// SPDX-License-Identifier: BSD-3-Clause
// Cyclic waits fail with an error.
#include "waits_actor_test.hpp"
#include <acre/agas/object_ref.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace acre::agas::waits;

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
    acre::migrate(a, acre::rank()).get();
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
    const actor_id b = on(other());
    expect_endless(acre::invoke(b, &actor::call_by_rpc, acre::rank(), b), b);
    EXPECT_EQ(acre::invoke(b, &actor::exclusive_number).get(), 1);
    acre::rpc(other(), move, a).get();
    EXPECT_FALSE(acre::is_here(a));
  });
}

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

}  // namespace
