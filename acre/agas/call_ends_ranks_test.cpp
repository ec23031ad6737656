// SPDX-License-Identifier: BSD-3-Clause
// Ends of calls that fail, or whose futures are ready at once or late.
#include <acre/agas/checkpoint.hpp>
#include <acre/agas/collection.hpp>
#include <acre/agas/invoke_to.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {

using acre::testing::other;

struct worker {
  acre::future<int> fail() { throw std::runtime_error("before there is a future"); }
  acre::future<int> answer() { return acre::make_ready_future(++calls); }
  static constexpr auto acre_concurrent = std::tuple(&worker::fail);
  friend auto acre_fields(worker& w) { return std::tie(w.calls); }
  int calls = 0;
};

TEST(CallEnds, ComeOnceWhenAFunctionThrowsThatReturnsFutures) {
  const acre::runtime::failures_held held;
  acre::barrier();
  const auto made = acre::create<worker>(other(1)).get();
  acre::invoke_ff(made, &worker::fail);
  acre::drain();
  EXPECT_NE(acre::runtime::pop_lost_failure(), nullptr);
  const auto credit = acre::agas::credit_held(made.name());
  const auto issued = acre::rpc(other(1), acre::agas::issued_credit, made.name()).get();
  EXPECT_EQ(credit, issued);
  acre::migrate(made, acre::rank()).get();
  EXPECT_TRUE(acre::is_here(made));
  acre::barrier();
}

/// Ending each call inside the previous one would overflow the stack.
TEST(CallEnds, ComeOneAfterTheOtherWhereFuturesAreReady) {
  constexpr int calls = 50'000;
  if (acre::rank() == 0) {
    const auto made = acre::create_here<worker>();
    static acre::promise<void> end;
    acre::invoke_ff(made, [](worker&) { return end.get_future(); });
    for (int i = 0; i < calls; ++i) acre::invoke_ff(made, &worker::answer);
    for (int i = 0; i < 100'000 && acre::progress() != 0; ++i) {
    }
    end.set_value();
    EXPECT_EQ(acre::invoke(made, &worker::calls).get(), calls);
  }
  acre::barrier();
}

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
  EXPECT_EQ(acre::agas::issued_credit(last), 0);
}

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
  EXPECT_EQ(acre::agas::issued_credit(last), 0);
}

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
  while (acre::runtime::pop_lost_failure() != nullptr) {
  }
  acre::barrier();
}

struct reader {
  static inline int begun = 0;
  static inline int ended = 0;
  static inline int steps_of_ended_objects = 0;

  reader() = default;
  reader(const reader& other) : mark(other.mark), is_half(other.is_half), done(other.done) {}
  ~reader() { mark = 0; }
  acre::task<> read(acre::global_ptr<int> from) {
    ++begun;
    is_half = 1;
    for (int i = 0; i < 20; ++i) {
      co_await acre::get_async(from);
      if (mark != alive) ++steps_of_ended_objects;
    }
    is_half = 0;
    ++done;
    ++ended;
  }
  acre::task<> read_beside_others(acre::global_ptr<int> from) { return read(from); }
  static constexpr auto acre_concurrent = std::tuple(&reader::read_beside_others);
  friend auto acre_fields(reader& r) { return std::tie(r.mark, r.is_half, r.done); }

  static constexpr int alive = 12345;
  int mark = alive;
  int is_half = 0;
  int done = 0;
};

class LateEnds : public testing::Test {
 protected:
  void SetUp() override {
    reader::begun = reader::ended = 0;
    acre::barrier();
  }
  void TearDown() override {
    EXPECT_EQ(reader::steps_of_ended_objects, 0);
    acre::barrier();
    acre::deallocate_symmetric(words_);
  }
  [[nodiscard]] acre::global_ptr<int> far() const { return acre::at_rank(words_, other(1)); }
  void expect_all(int calls) const {
    EXPECT_EQ(reader::ended, reader::begun);
    EXPECT_EQ(acre::world().allreduce(reader::ended), calls);
  }

 private:
  acre::global_ptr<int> words_ = acre::allocate_symmetric<int>(1);
};
using LateEndsSmoke = LateEnds;

TEST_F(LateEndsSmoke, AreAwaitedByDrain) {
  const auto all = acre::make_collection<reader>(12);
  if (acre::rank() == 0) acre::invoke_all_ff(all, &reader::read, far());
  for (int i = 0; i < 3; ++i) {
    acre::invoke_ff(acre::create<reader>(other(1)).get(), &reader::read_beside_others, far());
  }
  const auto other_one = acre::create_here<reader>();
  acre::invoke_to(
      other_one, [](reader& r) { ++r.done; }, acre::create_here<reader>(), &reader::read, far());
  acre::drain();
  expect_all(12 + 4 * static_cast<int>(acre::size()));
  EXPECT_EQ(acre::invoke(other_one, &reader::done).get(), 1);
  acre::barrier();
}

TEST_F(LateEnds, AreAwaitedByTheEndOfACollection) {
  {
    const auto all = acre::make_collection<reader>(12);
    if (acre::rank() == 0) acre::invoke_all_ff(all, &reader::read, far());
  }
  expect_all(12);
}

TEST_F(LateEnds, AreAwaitedByCheckpoints) {
  const acre::files_test::folder here;
  {
    const auto all = acre::make_collection<reader>(12);
    if (acre::rank() == 0) acre::invoke_all_ff(all, &reader::read, far());
    acre::checkpoint(all, here / "readers");
  }
  const auto all = acre::restore<acre::object_collection<reader>>(here / "readers");
  EXPECT_EQ(acre::invoke_reduce(all, acre::op::sum, &reader::done), 12);
  EXPECT_EQ(acre::invoke_reduce(all, acre::op::sum, &reader::is_half), 0);
  acre::barrier();
}

TEST_F(LateEnds, AreAwaitedByMovesAndByTheEndsOfObjects) {
  const auto moved = acre::create_here<reader>();
  acre::invoke_ff(moved, &reader::read, far());
  acre::migrate(moved, other(1)).get();
  const auto gone = acre::create_id_here<reader>();
  acre::invoke_ff(gone, &reader::read, far());
  acre::destroy(gone).get();
  EXPECT_EQ(reader::ended, 2);
  acre::barrier();
}

}  // namespace
