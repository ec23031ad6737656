// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/invoke_prioritised.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/base/error.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/quiescence.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::testing::other;

/// A message behind its sender's calls.
constexpr acre::runtime::handler_id mark{250};
constinit std::atomic<acre::rank_t> marks{0};
[[maybe_unused]] const bool marks_registered = acre::runtime::set_builtin_handler(
    mark, [](const acre::runtime::message&, acre::runtime::responder&) { ++marks; });

void wait_for_marks(acre::rank_t count) {
  while (marks != count) acre::runtime::progress_internal();
  marks = 0;
}

/// Rank 0 runs no call before all have arrived.
template <class Issue>
void keep_rank_0_busy(Issue&& issue) {
  acre::barrier();
  if (acre::rank() == 0) {
    for (acre::rank_t r = 1; r < acre::size(); ++r) acre::runtime::send(r, mark, {});
  } else {
    wait_for_marks(1);
  }
  issue();
  acre::runtime::send(0, mark, {});
  if (acre::rank() == 0) wait_for_marks(acre::size());
}

struct begun {
  int priority;
  acre::rank_t caller;
  int number;
  friend bool operator==(const begun&, const begun&) = default;
  friend std::ostream& operator<<(std::ostream& to, const begun& b) {
    return to << b.priority << ' ' << b.caller << ' ' << b.number;
  }
};
std::vector<begun> all_begun;

struct recorder {
  void note(int priority, acre::rank_t caller, int number) {
    all_begun.push_back({priority, caller, number});
  }
  void note_and_call(const acre::object_id<recorder>& next) {
    note(5, 0, 0);
    static_cast<void>(acre::invoke_prioritised(1, next, &recorder::note, 1, acre::rank_t{0}, 1));
  }
};

TEST(InvokePrioritisedSmoke, BeginsCallsOfARankInOrderOfPriorityThenOfArrival) {
  constexpr int calls = 40;
  all_begun.clear();
  std::array<acre::object_id<recorder>, 2> objects;
  if (acre::rank() == 0) {
    for (auto& each : objects) each = acre::create_id_here<recorder>();
  }
  objects = acre::world().broadcast(objects, 0);
  std::vector<acre::future<>> answers;
  keep_rank_0_busy([&] {
    for (int i = 0; i < calls; ++i) {
      const int priority = i % 5 - 2;
      answers.push_back(acre::invoke_prioritised(priority, objects[std::size_t(i % 2)],
                                                 &recorder::note, priority, acre::rank(), i));
    }
    acre::invoke_ff(objects[0], &recorder::note, -1000, acre::rank(), 0);
  });
  for (auto& each : answers) each.get();
  acre::drain();
  if (acre::rank() == 0) {
    EXPECT_EQ(all_begun.size(), (calls + 1) * acre::size());
    EXPECT_TRUE(std::ranges::is_sorted(all_begun, {}, &begun::priority))
        << testing::PrintToString(all_begun);
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      std::vector<begun> of_rank;
      std::ranges::copy_if(all_begun, std::back_inserter(of_rank),
                           [r](const begun& each) { return each.caller == r; });
      EXPECT_TRUE(std::ranges::is_sorted(
          of_rank, {}, [](const begun& each) { return std::pair(each.priority, each.number); }));
    }
    for (const auto& each : objects) acre::destroy(each).get();
  }
  acre::barrier();
}

TEST(InvokePrioritised, LetsAnUrgentCallThatArrivesMeanwhileGoFirst) {
  all_begun.clear();
  acre::object_id<recorder> object;
  if (acre::rank() == 0) object = acre::create_id_here<recorder>();
  object = acre::world().broadcast(object, 0);
  keep_rank_0_busy([&] {
    if (acre::rank() != acre::size() - 1) return;
    static_cast<void>(acre::invoke_prioritised(5, object, &recorder::note_and_call, object));
    for (int i = 0; i < 3; ++i) {
      static_cast<void>(
          acre::invoke_prioritised(5, object, &recorder::note, 5, acre::rank_t{0}, 2 + i));
    }
  });
  acre::drain();
  if (acre::rank() == 0) {
    const std::vector<begun> expected{{5, 0, 0}, {1, 0, 1}, {5, 0, 2}, {5, 0, 3}, {5, 0, 4}};
    EXPECT_EQ(all_begun, expected);
    acre::destroy(object).get();
  }
  acre::barrier();
}

struct traveller {
  acre::rank_t add(int more) {
    sum += more;
    return acre::rank();
  }
  [[nodiscard]] const std::string& text(std::string_view more) { return said += more; }
  acre::task<int> ask(acre::rank_t whom) {
    const int got = co_await acre::rpc(whom, [] { return 7; });
    co_return sum += got;
  }
  void fail() { throw std::runtime_error("no more"); }
  acre::task<> fail_late(acre::rank_t whom) {
    co_await acre::rpc(whom, [] {});
    throw std::runtime_error("no more, later");
  }
  int add_by_own_call(const acre::object_id<traveller>& self) {
    acre::invoke_prioritised(0, self, &traveller::add, 1).get();
    return sum;
  }
  acre::rank_t call_and_wait(const acre::object_ref<traveller>& next) {
    return acre::invoke_prioritised(3, next, &traveller::add, 1).get();
  }
  int count_moves() {
    ++sum;
    return moves;
  }
  friend void acre_after_move(traveller& t) { ++t.moves; }
  int sum = 0;
  int moves = 0;
  std::string said;
  friend auto acre_fields(traveller& t) { return std::tie(t.sum, t.moves, t.said); }
};

TEST(InvokePrioritised, BeginsBeforeLaterMovesOfItsRank) {
  const auto made = acre::create<traveller>(other(1)).get();
  std::vector<acre::future<int>> moves_before;
  std::vector<acre::future<>> moves;
  for (int i = 0; i < 20; ++i) {
    for (int priority : {2, 0}) {
      moves_before.push_back(acre::invoke_prioritised(priority, made, &traveller::count_moves));
    }
    moves.push_back(acre::migrate(made, other(unsigned(i))));
  }
  for (int i = 0; i < 40; ++i) EXPECT_LE(moves_before[std::size_t(i)].get(), i / 2) << i;
  for (auto& each : moves) each.get();
  EXPECT_EQ(acre::invoke(made, &traveller::sum).get(), 40);
  EXPECT_EQ(acre::invoke_prioritised(0, made, &traveller::add, 1).get(), other(19));
  acre::barrier();
}

TEST(InvokePrioritised, ReturnsResultsAsInvoke) {
  const auto made = acre::create<traveller>(other(1)).get();
  const std::string said =
      acre::invoke_prioritised(1, made, &traveller::text, std::string_view("abc")).get();
  EXPECT_EQ(said, "abc");
  EXPECT_EQ(acre::invoke_prioritised(1, made.id(), &traveller::ask, other(2)).get(), 7);
  EXPECT_EQ(acre::invoke_prioritised(
                0, made, [](traveller& t, int times) { return t.sum * times; }, 3)
                .get(),
            21);
  const int more = static_cast<int>(acre::size());
  const auto add_more = [more](traveller& t) { return t.sum + more; };
  EXPECT_EQ(acre::invoke_prioritised(0, made, add_more).get(), 7 + more);
  acre::barrier();
}

template <class Future>
std::string failure_of(Future coming) {
  try {
    static_cast<void>(coming.get());
  } catch (const acre::error& failed) {
    return failed.what();
  }
  return {};
}

TEST(InvokePrioritised, BringsFailuresBack) {
  const auto made = acre::create_id<traveller>(other(1)).get();
  const auto expect_failure = [](const std::string& failure, const std::string& problem) {
    EXPECT_NE(failure.find(problem), std::string::npos) << failure;
  };
  expect_failure(failure_of(acre::invoke_prioritised(0, made, &traveller::fail)), "no more");
  expect_failure(failure_of(acre::invoke_prioritised(0, made, &traveller::fail_late, other(2))),
                 "no more, later");
  expect_failure(failure_of(acre::invoke_prioritised(0, made, &traveller::add_by_own_call, made)),
                 "waits");
  acre::destroy(made).get();
  expect_failure(failure_of(acre::invoke_prioritised(0, made, &traveller::add, 1)),
                 "it has been destroyed");
  expect_failure(
      failure_of(acre::invoke_prioritised(0, acre::object_id<traveller>(), &traveller::add, 1)),
      "this handle of an object is empty");
  acre::barrier();
}

TEST(InvokePrioritised, RunsWhileAFunctionOfTheSameRankWaits) {
  const auto first = acre::create<traveller>(other(1)).get();
  const auto second = acre::create<traveller>(other(1)).get();
  EXPECT_EQ(acre::invoke_prioritised(0, first, &traveller::call_and_wait, second).get(), other(1));
  EXPECT_EQ(acre::rpc(
                other(1),
                [](const acre::object_ref<traveller>& here) {
                  return acre::invoke_prioritised(0, here, &traveller::add, 1).get();
                },
                second)
                .get(),
            other(1));
  acre::barrier();
}

int steps_here = 0;

struct walker {
  void step(int left) {
    ++steps_here;
    if (left == 0) return;
    const auto next = acre::create<walker>(other(1)).get();
    static_cast<void>(acre::invoke_prioritised(-left, next, &walker::step, left - 1));
  }
};

TEST(InvokePrioritised, IsAwaitedByDrain) {
  steps_here = 0;
  acre::barrier();
  for (int i = 0; i < 5; ++i) {
    const auto made = acre::create<walker>(other(1)).get();
    static_cast<void>(acre::invoke_prioritised(i % 3, made, &walker::step, 4));
  }
  acre::drain();
  const int steps = steps_here;
  EXPECT_EQ(acre::world().allreduce(steps), 25 * static_cast<int>(acre::size()));
}

TEST(InvokePrioritised, IsAwaitedByQuiescence) {
  steps_here = 0;
  acre::barrier();
  if (acre::rank() == 0) {
    for (int i = 0; i < 5; ++i) {
      const auto made = acre::create<walker>(other(1)).get();
      static_cast<void>(acre::invoke_prioritised(i % 3, made, &walker::step, 4));
    }
    acre::quiescence().get();
    int steps = 0;
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      steps += acre::rpc(r, [] { return steps_here; }).get();
    }
    EXPECT_EQ(steps, 25);
  }
  acre::barrier();
}

}  // namespace
