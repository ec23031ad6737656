// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/shared_future.hpp>

#include <acre/base/error.hpp>
#include <acre/global/future/task.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using acre::future;
using acre::make_failed_future;
using acre::make_ready_future;
using acre::promise;
using acre::shared_future;

struct oops : std::runtime_error {
  oops() : std::runtime_error("oops") {}
};

std::exception_ptr failure() { return std::make_exception_ptr(oops()); }

TEST(SharedFuture, IsReadByEveryCopyWhereItIs) {
  const shared_future<std::string> one = make_ready_future(std::string("text")).share();
  const shared_future<std::string> two = one;
  EXPECT_EQ(one.get(), "text");
  EXPECT_EQ(&one.get(), &two.get());
  EXPECT_TRUE(one.is_ready() && two.is_ready() && !one.has_failed());
  static_assert(std::is_same_v<decltype(one.get()), const std::string&>);
}

TEST(SharedFuture, HoldsWhatCannotBeCopied) {
  promise<std::unique_ptr<int>> bringer;
  const auto shared = bringer.get_future().share();
  const auto doubled = shared.then([](const std::unique_ptr<int>& p) { return 2 * *p; });
  bringer.set_value(std::make_unique<int>(21));
  EXPECT_EQ(*shared.get(), 21);
  EXPECT_TRUE(doubled.is_ready());
}

TEST(SharedFuture, TakesTheResultOfTheFutureThatIsShared) {
  auto answer = make_ready_future(1);
  const auto shared = answer.share();
  EXPECT_FALSE(answer.is_valid());
  EXPECT_THROW(static_cast<void>(answer.share()), acre::error);
  EXPECT_FALSE(shared_future<int>().is_valid());
  EXPECT_THROW(shared_future<int>().get(), acre::error);
  EXPECT_THROW(shared_future<int>().then([](int) {}), acre::error);
}

TEST(SharedFuture, CallsAllThatWaitInTheirOrder) {
  promise<int> bringer;
  std::string called;
  {
    const auto shared = bringer.get_future().share();
    auto first = shared.then([&](int x) { called += "1:" + std::to_string(x) + " "; });
    auto second =
        shared_future(shared).then([&](int x) { called += "2:" + std::to_string(x) + " "; });
    auto third =
        shared.then([&](shared_future<int> f) { called += "3:" + std::to_string(f.get()); });
    EXPECT_FALSE(first.is_ready() || second.is_ready() || third.is_ready());
  }
  bringer.set_value(7);
  EXPECT_EQ(called, "1:7 2:7 3:7");
}

TEST(SharedFuture, IsChainedAtOnceWhenItIsReady) {
  const auto shared = make_ready_future(std::tuple(3, std::string("x"))).share();
  EXPECT_EQ(shared.then([](int n, const std::string& s) { return s + std::to_string(n); }).get(),
            "x3");
  EXPECT_EQ(shared.then([](const std::tuple<int, std::string>& t) { return std::get<0>(t); }).get(),
            3);
  promise<int> inner;
  auto unwrapped = shared.then([&](const auto& t) {
    EXPECT_EQ(std::get<0>(t), 3);
    return inner.get_future();
  });
  static_assert(std::is_same_v<decltype(unwrapped), future<int>>);
  EXPECT_FALSE(unwrapped.is_ready());
  inner.set_value(5);
  EXPECT_EQ(unwrapped.get(), 5);
}

TEST(SharedFuture, UnwrapsAPendingFutureAmongOthersThatWait) {
  promise<> bringer;
  promise<int> inner;
  const auto shared = bringer.get_future().share();
  int others = 0;
  auto before = shared.then([&] { ++others; });
  auto unwrapped = shared.then([&] { return inner.get_future(); });
  auto after = shared.then([&] { ++others; });
  bringer.set_value();
  EXPECT_EQ(others, 2);
  EXPECT_FALSE(unwrapped.is_ready());
  inner.set_value(5);
  EXPECT_EQ(unwrapped.get(), 5);
}

TEST(SharedFuture, IsUnwrappedWhereAFunctionReturnsIt) {
  promise<std::string> made;
  const shared_future<std::string> text = made.get_future().share();
  promise<> begun;
  const auto get_text = [text] { return text; };
  future<std::string> later = begun.get_future().then(get_text);
  future<std::string> soon = make_ready_future().then(get_text);
  EXPECT_FALSE(soon.is_ready());
  begun.set_value();
  EXPECT_FALSE(later.is_ready());
  made.set_value("text");
  EXPECT_EQ(later.get(), "text");
  EXPECT_EQ(soon.get(), "text");
  EXPECT_EQ(text.get(), "text");
  EXPECT_EQ(text.then([text](const std::string&) { return text; }).get(), "text");

  const shared_future<> done = make_ready_future().share();
  future<> both = make_ready_future().then([done] { return done; });
  both.get();
  const shared_future<> failed = make_failed_future(failure()).share();
  EXPECT_THROW(make_ready_future().then([failed] { return failed; }).get(), oops);
  EXPECT_THROW(make_ready_future().then([] { return shared_future<int>(); }).get(), acre::error);
}

TEST(SharedFuture, OfWhatCannotBeCopiedIsGivenAsItIs) {
  const auto shared = make_ready_future(std::make_unique<int>(3)).share();
  future<shared_future<std::unique_ptr<int>>> inner =
      make_ready_future().then([shared] { return shared; });
  EXPECT_EQ(*inner.get().get(), 3);
}

TEST(SharedFuture, IsOneOfAllThatAreWaitedFor) {
  promise<int> made;
  promise<> begun;
  const shared_future<int> number = made.get_future().share();
  const shared_future<> start = begun.get_future().share();
  auto all = acre::when_all(number, make_ready_future(std::make_unique<int>(2)), start, number);
  static_assert(std::is_same_v<decltype(all), future<std::tuple<int, std::unique_ptr<int>, int>>>);
  made.set_value(1);
  EXPECT_FALSE(all.is_ready());
  begun.set_value();
  const auto [one, two, again] = all.get();
  EXPECT_EQ(one + *two + again, 4);
  EXPECT_EQ(acre::when_all(std::vector{number, number}).get(), (std::vector{1, 1}));
  acre::when_all(std::vector{start, start}).get();
  EXPECT_EQ(number.get(), 1);

  const shared_future<> failed = make_failed_future(failure()).share();
  EXPECT_THROW(acre::when_all(number, failed).get(), oops);
  EXPECT_THROW(static_cast<void>(acre::when_all(number, shared_future<>())), acre::error);
}

TEST(SharedFuture, IsAwaitedByManyCoroutines) {
  promise<int> bringer;
  const auto add_one = [](shared_future<int> source) -> acre::task<int> {
    const int& seen = co_await source;
    co_return seen + 1 + co_await std::move(source);
  };
  const auto shared = bringer.get_future().share();
  auto one = add_one(shared);
  auto two = add_one(shared);
  bringer.set_value(4);
  EXPECT_EQ(one.get() + two.get(), 18);
  EXPECT_EQ(add_one(shared).get(), 9);
}

TEST(SharedFuture, BringsItsFailureToEverybodyWhoAsks) {
  promise<int> bringer;
  const auto shared = bringer.get_future().share();
  auto chained = shared.then([](int) { FAIL(); });
  bringer.set_exception(failure());
  EXPECT_TRUE(shared.has_failed());
  EXPECT_THROW(shared.get(), oops);
  EXPECT_THROW(shared_future(shared).get(), oops);
  EXPECT_THROW(chained.get(), oops);
  EXPECT_FALSE(acre::runtime::has_lost_failure());
}

TEST(SharedFuture, LosesAFailureOnceWhereNoCopyAsked) {
  {
    const auto shared = make_failed_future<int>(failure()).share();
    const auto copy = shared;
  }
  EXPECT_TRUE(acre::runtime::has_lost_failure());
  EXPECT_THROW(acre::runtime::rethrow_lost_failure(), oops);
  EXPECT_FALSE(acre::runtime::has_lost_failure());
}

TEST(SharedFuture, AMillionLinksDoNotNeedAStackOfAMillionFrames) {
  promise<long> first;
  auto last = first.get_future().share();
  for (int i = 0; i < 1'000'000; ++i) last = last.then([](long x) { return x + 1; }).share();
  first.set_value(0);
  EXPECT_EQ(last.get(), 1'000'000);
}

TEST(SharedFuture, HangsAndIsFulfilledOnTwoThreads) {
  for (int round = 0; round < 2000; ++round) {
    promise<int> bringer;
    const auto shared = bringer.get_future().share();
    std::atomic<int> calls{0};
    std::atomic<bool> go{false};
    std::jthread other([&, copy = shared] {
      while (!go.load(std::memory_order_acquire)) {
      }
      for (int i = 0; i < 4; ++i) copy.then([&](int x) { calls += x; });
    });
    go.store(true, std::memory_order_release);
    bringer.set_value(1);
    for (int i = 0; i < 4; ++i) shared.then([&](int x) { calls += x; });
    other.join();
    ASSERT_EQ(calls, 8);
  }
}

template <class F>
concept may_be_chained_by_name = requires(F& f) { f.then([](int) {}); };
static_assert(may_be_chained_by_name<shared_future<int>>);

}  // namespace
