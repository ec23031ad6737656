// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/when_any.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::future;
using acre::make_ready_future;
using acre::promise;
using acre::when_any;

struct oops : std::runtime_error {
  oops() : std::runtime_error("oops") {}
};

std::exception_ptr failure() { return std::make_exception_ptr(oops()); }

std::vector<future<int>> futures_of(std::vector<promise<int>>& bringers) {
  std::vector<future<int>> futures;
  for (auto& bringer : bringers) futures.push_back(bringer.get_future());
  return futures;
}

TEST(WhenAny, GivesTheFirstAndLeavesTheOthersAsTheyAre) {
  promise<int> number;
  promise<std::string> text;
  promise<> nothing;
  auto any = when_any(number.get_future(), text.get_future(), nothing.get_future());
  EXPECT_FALSE(any.is_ready());
  text.set_value("first");
  ASSERT_TRUE(any.is_ready());
  auto [index, futures] = any.get();
  EXPECT_EQ(index, 1U);
  EXPECT_EQ(std::get<1>(futures).get(), "first");
  EXPECT_TRUE(std::get<0>(futures).is_valid());
  EXPECT_FALSE(std::get<0>(futures).is_ready());
  number.set_value(2);
  EXPECT_EQ(std::get<0>(futures).get(), 2);
  nothing.set_value();
  std::get<2>(futures).get();
}

TEST(WhenAny, OfSeveralThatAreReadyTakesTheFirstInOrder) {
  promise<int> later;
  auto any = when_any(later.get_future(), make_ready_future(1), make_ready_future(2)).get();
  EXPECT_EQ(any.index, 1U);
  EXPECT_EQ(std::get<2>(any.futures).get(), 2);
  later.set_value(3);
  EXPECT_EQ(std::get<0>(any.futures).get(), 3);
}

TEST(WhenAny, IsAskedAgainOfThoseThatAreLeft) {
  std::vector<promise<int>> bringers(50);
  auto open = futures_of(bringers);
  std::vector<int> order;
  auto any = when_any(std::move(open));
  for (int i = 0; i < 50; ++i) {
    bringers[static_cast<std::size_t>(i * 7 % 50)].set_value(i);
    auto some = any.get();
    order.push_back(some.futures[some.index].get());
    some.futures.erase(some.futures.begin() + static_cast<std::ptrdiff_t>(some.index));
    if (i < 49) any = when_any(std::move(some.futures));
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(WhenAny, ChainsLikeAnyFuture) {
  std::vector<promise<int>> bringers(3);
  auto seen = when_any(futures_of(bringers)).then([](auto some) {
    return 10 * static_cast<int>(some.index) + some.futures[some.index].get();
  });
  bringers[2].set_value(4);
  EXPECT_EQ(seen.get(), 24);
  for (auto* late : {&bringers[0], &bringers[1]}) late->set_value(0);
}

TEST(WhenAny, SaysOfNoneThatNoneWillBeReady) {
  EXPECT_THROW(static_cast<void>(when_any(std::vector<future<int>>{})), acre::error);
  EXPECT_THROW(static_cast<void>(when_any(future<int>{}, make_ready_future(1))), acre::error);
}

TEST(WhenAny, LeavesAFailureInTheFutureThatFailed) {
  promise<int> good;
  promise<int> bad;
  auto any = when_any(good.get_future(), bad.get_future());
  bad.set_exception(failure());
  EXPECT_FALSE(any.has_failed());
  auto some = any.get();
  EXPECT_EQ(some.index, 1U);
  EXPECT_THROW(std::get<1>(some.futures).get(), oops);
  good.set_value(1);
  EXPECT_FALSE(acre::runtime::has_lost_failure());
}

TEST(WhenAny, LosesTheFailureOfOneThatComesLaterAndIsNotAsked) {
  {
    promise<int> good;
    promise<int> late;
    auto any = when_any(good.get_future(), late.get_future());
    good.set_value(1);
    EXPECT_EQ(any.get().index, 0U);
    late.set_exception(failure());
  }
  EXPECT_THROW(acre::runtime::rethrow_lost_failure(), oops);
  EXPECT_FALSE(acre::runtime::has_lost_failure());
}

TEST(WhenAny, TakesSharedOnesAndGivesThemBack) {
  promise<int> number;
  promise<std::string> text;
  const acre::shared_future<int> shared = number.get_future().share();
  auto first = when_any(shared, text.get_future());
  auto again = when_any(std::vector{shared, shared});
  text.set_value("text");
  auto got = first.get();
  EXPECT_EQ(got.index, 1U);
  EXPECT_EQ(std::get<1>(got.futures).get(), "text");
  EXPECT_FALSE(again.is_ready());
  number.set_value(7);
  EXPECT_EQ(again.get().futures[1].get(), 7);
  EXPECT_EQ(std::get<0>(got.futures).get(), 7);
  EXPECT_EQ(when_any(make_ready_future(1), shared).get().index, 0U);
  EXPECT_THROW(static_cast<void>(when_any(shared, acre::shared_future<>())), acre::error);
}

TEST(WhenAny, MayBeDroppedBeforeAnythingIsReady) {
  std::vector<promise<int>> bringers(3);
  {
    auto dropped = when_any(futures_of(bringers));
  }
  for (auto& bringer : bringers) bringer.set_value(1);
}

TEST(WhenAny, TwoAreFirstOnTwoThreads) {
  using clock = std::chrono::steady_clock;
  const clock::time_point deadline = clock::now() + std::chrono::seconds(2);
  for (int round = 0; round < 3000 && clock::now() < deadline; ++round) {
    std::vector<promise<int>> bringers(3);
    std::atomic<bool> go{false};
    std::jthread other([&] {
      while (!go.load(std::memory_order_acquire)) {
      }
      bringers[0].set_value(10);
      bringers[2].set_value(12);
    });
    auto futures = futures_of(bringers);
    go.store(true, std::memory_order_release);
    auto any = when_any(std::move(futures));
    bringers[1].set_value(11);
    auto some = any.get();
    ASSERT_EQ(some.futures[some.index].get(), 10 + static_cast<int>(some.index));
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == some.index) continue;
      ASSERT_EQ(some.futures[i].get(), 10 + static_cast<int>(i));
    }
    other.join();
  }
}

TEST(WhenAny, TakesNothingBackWhileContinuationsAreFollowed) {
  std::vector<promise<int>> bringers(2);
  auto first = when_any(futures_of(bringers));
  std::optional<acre::global::continuations_stay> followed(std::in_place);
  std::atomic<bool> is_over{false};
  std::thread brings([&] {
    bringers[1].set_value(7);
    is_over = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_over);
  followed.reset();
  brings.join();
  EXPECT_EQ(first.get().index, 1U);
  bringers[0].set_value(8);
}

}  // namespace
