// How calls end that fail, or whose futures are ready at once.
#include <acre/agas/object_ref.hpp>
#include <acre/global/collectives.hpp>
#include <acre/global/drain.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {

struct worker {
  acre::future<int> fail() { throw std::runtime_error("before there is a future"); }
  acre::future<int> answer() { return acre::make_ready_future(++calls); }
  static constexpr auto acre_concurrent = std::tuple(&worker::fail);
  friend auto acre_fields(worker& w) { return std::tie(w.calls); }
  int calls = 0;
};

acre::rank_t other(unsigned steps) { return (acre::rank() + steps) % acre::size(); }

TEST(CallEnds, ComeOnceWhenAFunctionThrowsThatReturnsFutures) {
  const acre::runtime::failures_held held;
  acre::barrier();
  const auto made = acre::create<worker>(other(1)).get();
  acre::invoke_ff(made, &worker::fail);
  acre::drain();
  EXPECT_NE(acre::runtime::take_lost_failure(), nullptr);
  const auto credit = acre::detail::credit_held(made.name());
  const auto issued = acre::rpc(other(1), acre::detail::issued_credit, made.name()).get();
  EXPECT_EQ(credit, issued);
  acre::migrate(made, acre::rank()).get();  // nothing of it runs
  EXPECT_TRUE(acre::is_here(made));
  acre::barrier();
}

/// Each in the stack of the one before would need more of it than there is.
TEST(CallEnds, ComeOneAfterTheOtherWhereFuturesAreReady) {
  constexpr int calls = 50'000;
  if (acre::rank() == 0) {
    const auto made = acre::create_here<worker>();
    {
      const acre::pinned<worker> here(made.id());
      acre::migrate(made, 0);  // waits until it is not pinned, and all others for that
      for (int i = 0; i < calls; ++i) acre::invoke_ff(made, &worker::answer);
      for (int i = 0; i < 100'000 && acre::progress() != 0; ++i) {
      }
    }
    EXPECT_EQ(acre::invoke(made, &worker::calls).get(), calls);
  }
  acre::barrier();
}

/// Refers to the next of a list.
struct link {
  acre::object_ref<link> next;
};

TEST(CallEnds, OfAListComeOneAfterTheOther) {
  constexpr int count = 50'000;
  acre::object_ref<link> first;
  for (int i = 0; i < count; ++i) first = acre::create_here<link>(link{first});
  const acre::gid last = first.name();
  first = {};
  acre::drain();
  EXPECT_EQ(acre::detail::issued_credit(last), 0);
}

/// Its end ends the next of a list, and waits.
struct patient {
  explicit patient(acre::object_ref<patient> then) : next(std::move(then)) {}
  ~patient() {
    next = {};
    acre::rpc(other(1), [] {}).get();
  }
  acre::object_ref<patient> next;
};

TEST(CallEnds, MayWaitInDestructorsThatEndOthers) {
  acre::object_ref<patient> first;
  for (int i = 0; i < 100; ++i) first = acre::create_here<patient>(first);
  const acre::gid last = first.name();
  first = {};
  acre::drain();
  EXPECT_EQ(acre::detail::issued_credit(last), 0);
}

/// What cannot be read where it comes to.
struct broken {
  friend int acre_save(const broken&) { return 1; }
  friend broken acre_load(std::type_identity<broken>, int) {
    throw std::runtime_error("cannot be read");
  }
};

TEST(CallEnds, BringAnErrorWhereNeitherObjectNorArgumentsAreThere) {
  const auto made = acre::create_id<worker>(other(1)).get();
  acre::destroy(made).get();
  auto answer = acre::invoke(made, [](worker&, const broken&) { return 1; }, broken());
  EXPECT_THROW(static_cast<void>(answer.get()), acre::error);
}

/// Can be made nowhere but where it was made first.
struct stuck {
  int state = 0;
  friend int acre_save(const stuck& s) { return s.state; }
  friend stuck acre_load(std::type_identity<stuck>, int) {
    throw std::runtime_error("cannot be made again");
  }
};

TEST(CallEnds, BringAnErrorWhenAnObjectCouldBeMadeNowhere) {
  const acre::runtime::failures_held held;
  acre::barrier();
  if (acre::size() > 1) {
    const auto made = acre::create_id<stuck>(other(1)).get();
    auto moved = acre::migrate(made, other(2));
    auto answer = acre::invoke(made, &stuck::state);
    if (other(1) != other(2)) {
      EXPECT_THROW(moved.get(), acre::error);
      EXPECT_THROW(static_cast<void>(answer.get()), acre::error);
    }
  }
  acre::drain();
  while (acre::runtime::take_lost_failure() != nullptr) {
  }
  acre::barrier();
}

}  // namespace
