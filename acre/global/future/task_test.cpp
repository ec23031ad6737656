// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/task.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

// Weak: the real runtime overrides it.
[[gnu::weak]] void acre::runtime::wait_until(bool (*ready)(const void*), const void* subject,
                                             std::string (*)(const void*), const char*, site) {
  while (!ready(subject)) std::this_thread::yield();
}

namespace {

using acre::future;
using acre::make_failed_future;
using acre::make_ready_future;
using acre::promise;
using acre::task;
using acre::when_all;

struct oops : std::runtime_error {
  oops() : std::runtime_error("oops") {}
};

struct counted {
  explicit counted(int& alive) : alive_(&alive) { ++*alive_; }
  counted(const counted& other) : alive_(other.alive_) { ++*alive_; }
  counted& operator=(const counted&) = default;
  ~counted() { --*alive_; }
  int* alive_;
};

task<int> constant(int value) { co_return value; }

task<> nothing() { co_return; }

task<int> add(future<int> a, future<int> b) {
  const int first = co_await a;
  co_return first + co_await std::move(b);
}

TEST(Task, StartsAtOnceAndEndsWithoutSuspending) {
  auto answer = constant(42);
  EXPECT_TRUE(answer.is_ready());
  EXPECT_EQ(answer.get(), 42);
  nothing().get();
}

TEST(Task, GoesOnInTheCallThatFulfils) {
  promise<int> a;
  promise<int> b;
  auto sum = add(a.get_future(), b.get_future());
  EXPECT_FALSE(sum.is_ready());
  a.set_value(1);
  EXPECT_FALSE(sum.is_ready());
  b.set_value(2);
  EXPECT_TRUE(sum.is_ready());
  EXPECT_EQ(sum.get(), 3);
}

TEST(Task, IsAFutureForThenAndWhenAll) {
  promise<int> a;
  auto doubled = add(a.get_future(), constant(1)).then([](int x) { return 2 * x; });
  auto both = when_all(std::move(doubled), constant(5), nothing());
  a.set_value(9);
  EXPECT_EQ(both.get(), std::tuple(20, 5));
}

TEST(Task, AwaitsWhenAllAndTasks) {
  const auto outer = [](future<int> f) -> task<std::string> {
    auto [x, y] = co_await when_all(std::move(f), constant(2));
    co_await nothing();
    co_return std::to_string(x + y + co_await constant(3));
  };
  promise<int> a;
  auto text = outer(a.get_future());
  a.set_value(1);
  EXPECT_EQ(text.get(), "6");
}

TEST(Task, ReturnsValuesThatCannotBeCopied) {
  const auto make = [](future<std::unique_ptr<int>> f) -> task<std::unique_ptr<int>> {
    auto owned = co_await f;
    ++*owned;
    co_return owned;
  };
  EXPECT_EQ(*make(make_ready_future(std::make_unique<int>(1))).get(), 2);
  promise<std::unique_ptr<int>> later;
  auto result = make(later.get_future());
  later.set_value(std::make_unique<int>(2));
  EXPECT_EQ(*result.get(), 3);
}

task<int> throws_before_suspending(bool yes) {
  if (yes) throw oops();
  co_return 1;
}

TEST(Task, FailsWithWhatItThrows) {
  EXPECT_THROW(throws_before_suspending(true).get(), oops);
  EXPECT_EQ(throws_before_suspending(false).get(), 1);
  const auto after = [](future<> f) -> task<> {
    co_await f;
    throw oops();
  };
  promise<> go;
  auto result = after(go.get_future());
  go.set_value();
  EXPECT_THROW(result.get(), oops);
}

TEST(Task, CatchesTheFailureOfWhatItAwaits) {
  const auto careful = [](future<int> f) -> task<int> {
    int result = 0;
    try {
      result = co_await f;
    } catch (const oops&) {
      result = -1;
    }
    co_return result;
  };
  EXPECT_EQ(careful(make_failed_future<int>(std::make_exception_ptr(oops()))).get(), -1);
  promise<int> later;
  auto result = careful(later.get_future());
  later.set_exception(std::make_exception_ptr(oops()));
  EXPECT_EQ(result.get(), -1);
}

TEST(Task, PassesFailuresThroughManyLevels) {
  struct levels {
    static task<int> descend(int depth) {
      if (depth == 0) throw oops();
      co_return co_await descend(depth - 1) + 1;
    }
  };
  EXPECT_THROW(levels::descend(50).get(), oops);
}

TEST(Task, FreesItsVariablesBeforeItsResultIsSeen) {
  int alive = 0;
  promise<> go;
  int alive_when_seen = -1;
  const auto body = [](counted parameter, future<> f) -> task<int> {
    const counted local = parameter;
    co_await f;
    co_return *local.alive_;
  };
  auto seen = body(counted(alive), go.get_future()).then([&](int alive_inside) {
    alive_when_seen = alive;
    return alive_inside;
  });
  EXPECT_EQ(alive, 2);
  go.set_value();
  EXPECT_EQ(seen.get(), 2);
  EXPECT_EQ(alive_when_seen, 0);
  EXPECT_EQ(alive, 0);
}

TEST(Task, GoesOnAfterItsFutureWasDropped) {
  int alive = 0;
  bool finished = false;
  promise<> go;
  const auto body = [](counted, future<> f, bool& done) -> task<> {
    co_await f;
    done = true;
  };
  {
    auto dropped = body(counted(alive), go.get_future(), finished);
  }
  EXPECT_FALSE(finished);
  go.set_value();
  EXPECT_TRUE(finished);
  EXPECT_EQ(alive, 0);
}

TEST(Task, FailsWhenThePromiseBreaks) {
  future<int> result;
  {
    promise<int> broken;
    result = add(broken.get_future(), constant(1));
  }
  EXPECT_THROW(result.get(), acre::error);
}

TEST(Task, RefusesAFutureWithoutAResult) {
  const auto body = [](future<int> f) -> task<int> { co_return co_await f; };
  EXPECT_THROW(body(future<int>()).get(), acre::error);
}

TEST(Task, AwaitsReadyFuturesInALoopWithoutGrowingTheStack) {
  const auto loop = []() -> task<long> {
    long sum = 0;
    for (int i = 0; i < 1'000'000; ++i) sum += co_await make_ready_future(1);
    co_return sum;
  };
  EXPECT_EQ(loop().get(), 1'000'000);
}

task<long> link(future<long> before) { co_return co_await before + 1; }

TEST(Task, AChainOfAMillionTasksDoesNotNeedAStackOfAMillionFrames) {
  promise<long> first;
  auto last = first.get_future();
  for (int i = 0; i < 1'000'000; ++i) last = link(std::move(last));
  first.set_value(0);
  EXPECT_EQ(last.get(), 1'000'000);
}

struct foreign_event {
  std::coroutine_handle<> waiting;
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) noexcept { waiting = handle; }
  void await_resume() const noexcept {}
};

TEST(Task, MixesWithAwaitablesOfOtherLibraries) {
  foreign_event event;
  const auto body = [](future<int> f, foreign_event& e) -> task<int> {
    const int x = co_await f;
    co_await e;
    co_return x + 1;
  };
  promise<int> go;
  int seen = 0;
  auto done = body(go.get_future(), event).then([&](int x) { seen = x; });
  go.set_value(1);
  EXPECT_EQ(seen, 0);
  event.waiting.resume();
  EXPECT_EQ(seen, 2);
}

struct foreign_coroutine {
  struct promise_type {
    foreign_coroutine get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

TEST(Task, FuturesCanBeAwaitedByCoroutinesOfOtherLibraries) {
  promise<int> go;
  int seen = 0;
  [](future<int> f, int& result) -> foreign_coroutine { result = co_await f; }(go.get_future(),
                                                                               seen);
  EXPECT_EQ(seen, 0);
  go.set_value(5);
  EXPECT_EQ(seen, 5);
}

TEST(Task, TemporariesOfAnAwaitExpressionLiveUntilItsEnd) {
  // GCC before 12 destroyed some temporaries twice.
  int alive = 0;
  const auto take = [](counted c, const std::string& text, future<> f) -> task<std::size_t> {
    co_await f;
    co_return text.size() + static_cast<std::size_t>(*c.alive_ > 0);
  };
  const auto body = [&](future<> f) -> task<std::size_t> {
    std::size_t sum = 0;
    if (co_await take(counted(alive), std::string(100, 'x'), std::move(f)) == 101) sum += 1;
    sum += co_await take(counted(alive), "short", make_ready_future());
    const bool yes = sum > 0;
    sum += yes ? co_await take(counted(alive), std::string(50, 'y'), make_ready_future()) : 0;
    co_return sum;
  };
  promise<> go;
  auto result = body(go.get_future());
  go.set_value();
  EXPECT_EQ(result.get(), 1U + 6U + 51U);
  EXPECT_EQ(alive, 0);
}

TEST(Task, AwaitAndFulfilFromTwoThreads) {
  constexpr int rounds = 20'000;
  std::vector<promise<int>> bringers(rounds);
  std::vector<future<int>> futures;
  for (auto& bringer : bringers) futures.push_back(bringer.get_future());
  std::atomic<int> reached{0};
  std::thread helper([&] {
    for (int i = 0; i < rounds; ++i) {
      while (reached.load(std::memory_order_acquire) < i) std::this_thread::yield();
      bringers[static_cast<std::size_t>(i)].set_value(i);
    }
  });
  const auto body = [](std::vector<future<int>>& sources, std::atomic<int>& mark) -> task<long> {
    long sum = 0;
    for (int i = 0; i < rounds; ++i) {
      mark.store(i, std::memory_order_release);
      sum += co_await sources[static_cast<std::size_t>(i)];
    }
    co_return sum;
  };
  auto sum = body(futures, reached);
  EXPECT_EQ(sum.get(), long{rounds} * (rounds - 1) / 2);
  helper.join();
}

}  // namespace
