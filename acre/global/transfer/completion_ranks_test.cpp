// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/memory/symmetric_room_test.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/atomic_completions.hpp>
#include <acre/global/transfer/put_get_completions.hpp>
#include <acre/global/transfer/strided_async.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using acre::everywhere;
using acre::next_rank;
using acre::previous_rank;

using acre::as_future;
using acre::counting_promise;
using acre::future;
using acre::global_ptr;
using acre::on_operation;
using acre::on_source;
using acre::promise;
using acre::then_at_target;

int calls = 0;
long seen = 0;

void note(long value) {
  seen += value;
  ++calls;
}
void await_calls(int wanted) {
  acre::runtime::wait_until([wanted] { return calls >= wanted; }, "calls");
}
void await(const bool& flag) {
  acre::runtime::wait_until([&] { return flag; }, "a completion");
}

class Completion : public testing::Test {
 protected:
  Completion() {
    calls = 0;
    seen = 0;
    acre::barrier();
  }
  ~Completion() override {
    acre::barrier();
    EXPECT_FALSE(acre::runtime::has_lost_failure());
  }
};

constexpr std::array<std::size_t, 3> sizes{4, 1000, 50'000};

TEST_F(Completion, SmokeGivesTheFuturesInTheOrderWritten) {
  const everywhere<long> room(50'000);
  for (const std::size_t count : sizes) {
    const std::vector<long> values(count, static_cast<long>(count));
    auto both = acre::put_async(room.on(next_rank()), values, on_operation(as_future),
                                on_source(as_future));
    static_assert(std::is_same_v<decltype(both), std::tuple<future<>, future<>>>);
    std::get<1>(both).get();
    std::get<0>(both).get();
    EXPECT_EQ(acre::get(room.on(next_rank()) + static_cast<std::ptrdiff_t>(count) - 1),
              static_cast<long>(count));
    acre::barrier();
  }
  auto one = acre::put_async(room.on(next_rank()), 1L, on_operation(as_future));
  static_assert(std::is_same_v<decltype(one), future<>>);
  one.get();
  static_assert(std::is_void_v<decltype(acre::put_async(room.on(0), 1L, on_operation([] {})))>);
}

TEST_F(Completion, TellsFunctionsPromisesAndCounts) {
  const everywhere<long> room(50'000);
  for (const std::size_t count : sizes) {
    const std::vector<long> values(count, 7);
    bool told = false;
    promise<> given;
    auto fulfilled = given.get_future();
    counting_promise all;
    acre::put_async(room.on(next_rank()), values, on_operation([&] { told = true; }),
                    on_operation(std::move(given)), on_operation(all), on_source(all));
    all.close().wait();
    fulfilled.get();
    await(told);
    acre::barrier();
    EXPECT_EQ(room.here()[count - 1], 7);
    acre::barrier();
  }
}

TEST_F(Completion, ACountingPromiseTakesManyOperations) {
  constexpr int many = 500;
  const everywhere<long> room(many);
  std::vector<long> back(many);
  counting_promise puts;
  for (int i = 0; i < many; ++i) {
    acre::put_async(room.on(next_rank()) + i, long{i}, on_operation(puts));
  }
  puts.close().wait();
  counting_promise gets;
  for (int i = 0; i < many; ++i) {
    acre::get_async(room.on(next_rank()) + i, std::span(&back[static_cast<std::size_t>(i)], 1),
                    on_operation(gets));
  }
  gets.close().wait();
  for (int i = 0; i < many; ++i) EXPECT_EQ(back[static_cast<std::size_t>(i)], i);
}

TEST_F(Completion, TheTargetRunsAFunctionAndTheCallerHearsOfTheRest) {
  const everywhere<long> room(50'000);
  int expected = 0;
  for (const std::size_t count : sizes) {
    std::vector<long> values(count, 3);
    auto [free, there] =
        acre::put_async(room.on(next_rank()), values, on_source(as_future),
                        then_at_target(note, static_cast<long>(count)), on_operation(as_future));
    free.get();
    std::fill(values.begin(), values.end(), -1);
    there.get();
    EXPECT_EQ(acre::get(room.on(next_rank()) + static_cast<std::ptrdiff_t>(count) - 1), 3);
    await_calls(++expected);
    acre::barrier();
  }
  EXPECT_EQ(seen, 51'004);
}

TEST_F(Completion, TheTargetAloneHearsOfIt) {
  const everywhere<long> room(50'000);
  const std::vector<std::vector<long>> kept{std::vector<long>(4, 1), std::vector<long>(1000, 2),
                                            std::vector<long>(50'000, 3)};
  for (const auto& values : kept) {
    acre::put_async(room.on(next_rank()), values, then_at_target(note, 1L));
    acre::quiet();
    EXPECT_EQ(acre::get(room.on(next_rank())), values[0]);
  }
  acre::put_async(room.on(next_rank()), std::span<const long>(), then_at_target(note, 1L));
  acre::put_async(room.on(next_rank()), 9L, then_at_target(note, 1L));
  await_calls(5);
  acre::barrier();
  EXPECT_EQ(room.here()[0], 9);
}

TEST_F(Completion, AValueIsCopiedAtOnce) {
  struct large {
    std::array<long, 20'000> words{};
  };
  const everywhere<large> room(1);
  auto value = std::make_unique<large>();
  value->words.fill(5);
  bool told = false;
  bool is_free = false;
  acre::put_async(room.on(next_rank()), *value, on_source([&] { is_free = true; }),
                  on_operation([&] { told = true; }), then_at_target(note, 1L));
  EXPECT_TRUE(is_free);
  value.reset();
  await(told);
  await_calls(1);
  EXPECT_EQ(room.here()->words.back(), 5);
}

TEST_F(Completion, AGetTellsItsValue) {
  const everywhere<long> room(1);
  *room.here() = 10 + acre::rank();
  acre::barrier();
  const auto source = room.on(next_rank());
  const long expected = 10 + long{next_rank()};
  auto answer = acre::get_async(source, on_operation(as_future));
  static_assert(std::is_same_v<decltype(answer), future<long>>);
  EXPECT_EQ(answer.get(), expected);
  promise<long> given;
  auto fulfilled = given.get_future();
  acre::get_async(source, on_operation(std::move(given)));
  EXPECT_EQ(fulfilled.get(), expected);
  long told = 0;
  acre::get_async(source, on_operation([&](long value) { told = value; }));
  acre::runtime::wait_until([&] { return told != 0; }, "a value");
  EXPECT_EQ(told, expected);
  counting_promise count;
  acre::get_async(source, on_operation(count));
  count.close().wait();
}

TEST_F(Completion, CopiesTellAllEnds) {
  const everywhere<long> room(4000);
  std::iota(room.here(), room.here() + 2000, 0L);
  acre::barrier();
  for (const acre::rank_t from : {previous_rank(), acre::rank()}) {
    auto [is_free, done] =
        acre::copy_async(room.on(from), room.on(next_rank()) + 2000, 2000, on_source(as_future),
                         on_operation(as_future),
                         then_at_target([](global_ptr<long> p) { note(p.local()[1999]); },
                                        room.on(next_rank()) + 2000));
    is_free.get();
    done.get();
  }
  await_calls(2);
  EXPECT_EQ(seen, 2 * 1999);
}

TEST_F(Completion, AtomicsTellTheValueBefore) {
  const everywhere<long> room(2);
  const auto target = room.on(next_rank());
  counting_promise all;
  for (int i = 0; i < 100; ++i) acre::fetch_add_async(target, 1, on_operation(all));
  all.close().wait();
  auto before = acre::atomic_compare_exchange_async(target, 100, 5, on_operation(as_future));
  static_assert(std::is_same_v<decltype(before), future<long>>);
  EXPECT_EQ(before.get(), 100);
  long told = 0;
  acre::atomic_load_async(target, on_operation([&](long value) { told = value; }));
  acre::runtime::wait_until([&] { return told != 0; }, "a value");
  EXPECT_EQ(told, 5);
}

TEST_F(Completion, AnAtomicThatIsRefusedFailsWhoIsTold) {
  const everywhere<std::uint64_t> room(2);
  const auto target = room.on(next_rank());
  if (target.is_local()) GTEST_SKIP() << "only over a network";
  const auto crooked = acre::reinterpret_pointer_cast<std::uint64_t>(
      acre::reinterpret_pointer_cast<std::uint32_t>(target) + 1);
  counting_promise all;
  acre::fetch_add_async(crooked, 1U, on_operation(all));
  acre::fetch_add_async(target, 1U, on_operation(all));
  EXPECT_THROW(all.close().get(), acre::error);
  EXPECT_THROW(acre::fetch_add_async(crooked, 1U, on_operation(as_future)).get(), acre::error);
  promise<std::uint64_t> given;
  auto fulfilled = given.get_future();
  acre::fetch_add_async(crooked, 1U, on_operation(std::move(given)));
  EXPECT_THROW(fulfilled.get(), acre::error);
  const auto hear_of_it = [] {
    for (;;) acre::progress();
  };
  acre::fetch_add_async(crooked, 1U, on_operation([](std::uint64_t) { FAIL(); }));
  EXPECT_THROW(hear_of_it(), acre::error);
}

TEST_F(Completion, BoxesTellTheirEnds) {
  using extents = std::array<std::size_t, 2>;
  using strides = std::array<std::ptrdiff_t, 2>;
  const everywhere<long> room(600);
  const std::vector<long> ones(200, 1);
  std::vector<long> back(200);
  counting_promise all;
  const auto target = room.on(next_rank());
  auto done = acre::put_strided_async(
      target, extents{20, 10}, strides{30, 2}, ones.data(), strides{10, 1}, on_operation(as_future),
      on_source(all),
      then_at_target(
          [](const global_ptr<long> p) { note(std::accumulate(p.local(), p.local() + 600, 0L)); },
          target));
  done.get();
  all.close().wait();
  acre::get_strided_async(target, extents{20, 10}, strides{30, 2}, back.data(), strides{10, 1})
      .get();
  EXPECT_EQ(back, ones);
  acre::put_strided_async(target, extents{0, 10}, strides{30, 2}, ones.data(), strides{10, 1})
      .get();
  await_calls(1);
  EXPECT_EQ(seen, 200);
}

TEST_F(Completion, WhatAFunctionThrowsComesUpLater) {
  const everywhere<long> room(1);
  const auto hear_of_it = [] {
    for (;;) acre::progress();
  };
  acre::put_async(room.on(next_rank()), 1L, on_operation([] { throw std::runtime_error("told"); }));
  EXPECT_THROW(hear_of_it(), std::runtime_error);
}

TEST_F(Completion, OrderOfTellingIsTheOrderWritten) {
  const everywhere<long> room(1);
  std::string order;
  acre::put_async(room.on(next_rank()), 1L, on_operation([&] { order += 'a'; }),
                  on_operation([&] { order += 'b'; }), on_operation([&] { order += 'c'; }));
  acre::runtime::wait_until([&] { return order.size() == 3; }, "completions");
  EXPECT_EQ(order, "abc");
}

TEST_F(Completion, PromisesAreGivenAway) {
  static_assert(acre::completion<decltype(on_source(as_future))>);
  static_assert(!acre::completion<int> && !acre::completion<acre::site>);
}

}  // namespace
