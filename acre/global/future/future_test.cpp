// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/future.hpp>

#include <acre/base/error.hpp>
#include <acre/base/sanitizers.hpp>
#include <acre/base/site.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {
std::string last_wait;
unsigned last_wait_line = 0;
}  // namespace

// Weak: the real runtime overrides it.
[[gnu::weak]] void acre::runtime::wait_until(bool (*ready)(const void*), const void* subject,
                                             std::string (*)(const void*), const char* what,
                                             site where) {
  last_wait = what;
  last_wait_line = where.line();
  while (!ready(subject)) std::this_thread::yield();
}

namespace {
std::atomic<long> allocations{0};
}

#if !ACRE_THREAD_SANITIZER
// Not inlined: GCC would report a mismatch of new and free.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace {

using acre::future;
using acre::make_failed_future;
using acre::make_ready_future;
using acre::promise;
using acre::when_all;

struct oops : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::exception_ptr failure(const char* text = "oops") {
  return std::make_exception_ptr(oops(text));
}

class Future : public testing::Test {
 protected:
  ~Future() override {
    EXPECT_FALSE(acre::runtime::has_lost_failure());
    while (acre::runtime::has_lost_failure()) {
      try {
        acre::runtime::rethrow_lost_failure();
      } catch (...) {
      }
    }
  }
};
using Promise = Future;
using WhenAll = Future;
using LostFailures = Future;

TEST_F(Future, MadeReadyHoldsItsValue) {
  auto answer = make_ready_future(42);
  EXPECT_TRUE(answer.is_valid());
  EXPECT_TRUE(answer.is_ready());
  EXPECT_FALSE(answer.has_failed());
  EXPECT_EQ(answer.get(), 42);
  EXPECT_FALSE(answer.is_valid());
}

TEST_F(Future, OfVoidIsReadyWithoutAValue) {
  future<> done = make_ready_future();
  EXPECT_TRUE(done.is_ready());
  done.wait();
  EXPECT_TRUE(done.is_valid());
  done.get();
  EXPECT_FALSE(done.is_valid());
}

TEST_F(Future, CarriesValuesThatCannotBeCopied) {
  auto owner = make_ready_future(std::make_unique<int>(3));
  future<std::unique_ptr<int>> moved = std::move(owner);
  EXPECT_FALSE(owner.is_valid());
  auto doubled =
      std::move(moved).then([](std::unique_ptr<int> p) { return std::make_unique<int>(2 * *p); });
  EXPECT_EQ(*doubled.get(), 6);

  promise<std::unique_ptr<int>> pending;
  auto later = pending.get_future().then([](std::unique_ptr<int> p) { return p; });
  pending.set_value(std::make_unique<int>(4));
  EXPECT_EQ(*later.get(), 4);
}

TEST_F(Future, SaysThatItsResultWasTaken) {
  auto answer = make_ready_future(1);
  EXPECT_EQ(answer.get(), 1);
  EXPECT_THROW(answer.get(), acre::error);
  EXPECT_THROW(answer.wait(), acre::error);
  EXPECT_THROW(std::move(answer).then([](int) {}), acre::error);
  EXPECT_THROW(static_cast<void>(when_all(std::move(answer))), acre::error);
}

TEST_F(Future, WaitLeavesTheResultInPlace) {
  promise<std::string> bringer;
  auto text = bringer.get_future();
  EXPECT_FALSE(text.is_ready());
  bringer.set_value("there");
  text.wait();
  text.wait();
  EXPECT_EQ(text.get(), "there");
}

TEST_F(Future, RethrowsItsFailureFromWaitAndFromGet) {
  promise<int> bringer;
  auto answer = bringer.get_future();
  bringer.set_exception(failure());
  EXPECT_TRUE(answer.has_failed());
  EXPECT_THROW(answer.wait(), oops);
  EXPECT_THROW(answer.get(), oops);
}

TEST_F(Future, WaitsThroughTheRuntime) {
  promise<int> bringer;
  auto answer = bringer.get_future();
  std::thread helper([&] { bringer.set_value(5); });
  last_wait.clear();
  const int value = answer.get();
  helper.join();
  EXPECT_EQ(value, 5);
  if (!last_wait.empty()) {
    EXPECT_EQ(last_wait, "future::get");
    EXPECT_NE(last_wait_line, 0U);
  }
}

TEST_F(Future, HoldsOveralignedValues) {
  struct alignas(128) wide {
    int x;
  };
  promise<wide> bringer;
  auto answer = bringer.get_future();
  bringer.set_value(wide{7});
  EXPECT_EQ(answer.get().x, 7);
}

TEST_F(Future, MoveAssignmentDropsTheOldResult) {
  auto shared = std::make_shared<int>(1);
  auto kept = make_ready_future(shared);
  EXPECT_EQ(shared.use_count(), 2);
  kept = make_ready_future(std::make_shared<int>(2));
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(*kept.get(), 2);
}

TEST_F(Future, ThenRunsAtOnceWhenReady) {
  bool ran = false;
  auto next = make_ready_future(20).then([&](int x) {
    ran = true;
    return x + 1.5;
  });
  EXPECT_TRUE(ran);
  static_assert(std::is_same_v<decltype(next), future<double>>);
  EXPECT_EQ(next.get(), 21.5);
}

TEST_F(Future, ThenRunsInTheCallThatFulfils) {
  promise<int> bringer;
  int seen = 0;
  auto done = bringer.get_future().then([&](int x) { seen = x; });
  static_assert(std::is_same_v<decltype(done), future<void>>);
  EXPECT_EQ(seen, 0);
  bringer.set_value(9);
  EXPECT_EQ(seen, 9);
  EXPECT_TRUE(done.is_ready());
}

TEST_F(Future, ThenRunsEvenIfItsFutureIsDropped) {
  promise<int> bringer;
  int seen = 0;
  bringer.get_future().then([&](int x) { seen = x; });
  bringer.set_value(9);
  EXPECT_EQ(seen, 9);
}

TEST_F(Future, ThenUnwrapsAReturnedFuture) {
  for (const bool outer_first : {true, false}) {
    promise<int> outer;
    promise<std::string> inner;
    auto result = outer.get_future().then(
        [inner_future = inner.get_future()](int) mutable { return std::move(inner_future); });
    static_assert(std::is_same_v<decltype(result), future<std::string>>);
    if (outer_first) {
      outer.set_value(1);
      EXPECT_FALSE(result.is_ready());
      inner.set_value("in");
    } else {
      inner.set_value("in");
      EXPECT_FALSE(result.is_ready());
      outer.set_value(1);
    }
    EXPECT_EQ(result.get(), "in");
  }
  EXPECT_EQ(make_ready_future(1).then([](int x) { return make_ready_future(x + 1); }).get(), 2);
}

TEST_F(Future, ThenOfVoidUnwrapsFuturesOfVoid) {
  promise<> outer;
  promise<> inner;
  auto result =
      outer.get_future().then([f = inner.get_future()]() mutable { return std::move(f); });
  static_assert(std::is_same_v<decltype(result), future<void>>);
  outer.set_value();
  EXPECT_FALSE(result.is_ready());
  inner.set_value();
  EXPECT_TRUE(result.is_ready());
}

TEST_F(Future, ThenPassesFailuresOnWithoutCalling) {
  bool called = false;
  const auto note = [&](int) { called = true; };
  EXPECT_THROW(make_failed_future<int>(failure()).then(note).get(), oops);
  promise<int> bringer;
  auto result = bringer.get_future().then(note).then([&] { called = true; });
  bringer.set_exception(failure());
  EXPECT_THROW(result.get(), oops);
  EXPECT_FALSE(called);
}

TEST_F(Future, ThenTurnsAThrowIntoAFailure) {
  const auto thrower = [](int) -> int { throw oops("thrown"); };
  EXPECT_THROW(make_ready_future(1).then(thrower).get(), oops);
  promise<int> bringer;
  auto result = bringer.get_future().then(thrower);
  bringer.set_value(1);
  EXPECT_THROW(result.get(), oops);
}

TEST_F(Future, ThenPassesOnTheFailureOfAReturnedFuture) {
  const auto failing = [](int) { return make_failed_future<int>(failure()); };
  EXPECT_THROW(make_ready_future(1).then(failing).get(), oops);
  promise<int> bringer;
  auto result = bringer.get_future().then(failing);
  bringer.set_value(1);
  EXPECT_THROW(result.get(), oops);
}

TEST_F(Future, ThenReportsAReturnedFutureWithoutAResult) {
  promise<int> bringer;
  auto result = bringer.get_future().then([](int) { return future<int>(); });
  bringer.set_value(1);
  EXPECT_THROW(result.get(), acre::error);
}

TEST_F(Future, AFunctionThatTakesTheFutureSeesTheFailure) {
  const auto recover = [](future<int> f) {
    try {
      return f.get();
    } catch (const oops&) {
      return -1;
    }
  };
  EXPECT_EQ(make_failed_future<int>(failure()).then(recover).get(), -1);
  EXPECT_EQ(make_ready_future(3).then(recover).get(), 3);
  promise<int> bringer;
  auto result = bringer.get_future().then(recover);
  bringer.set_exception(failure());
  EXPECT_EQ(result.get(), -1);
}

TEST_F(Future, ThenCompilesAGenericFunctionForTheValueAlone) {
  auto size = make_ready_future(std::string("four")).then([](auto text) { return text.size(); });
  EXPECT_EQ(size.get(), 4U);
}

TEST_F(Future, ThenFreesTheFunctionBeforeItPublishes) {
  auto captured = std::make_shared<int>(0);
  promise<int> bringer;
  auto result = bringer.get_future().then([captured](int x) { return x; });
  EXPECT_EQ(captured.use_count(), 2);
  bringer.set_value(1);
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_EQ(result.get(), 1);
}

TEST_F(Future, AMillionLinksDoNotNeedAStackOfAMillionFrames) {
  promise<long> first;
  auto last = first.get_future();
  for (int i = 0; i < 1'000'000; ++i) last = std::move(last).then([](long x) { return x + 1; });
  first.set_value(0);
  EXPECT_EQ(last.get(), 1'000'000);
}

TEST_F(Promise, BreaksWhenDestroyedWithoutAValue) {
  future<int> orphan;
  {
    promise<int> bringer;
    orphan = bringer.get_future();
  }
  ASSERT_TRUE(orphan.is_ready());
  try {
    orphan.get();
    FAIL() << "a broken promise brought a value";
  } catch (const acre::error& broken) {
    EXPECT_NE(broken.problem().find("broken promise"), std::string::npos);
  }
}

TEST_F(Promise, MayBreakWhenNobodyWaits) {
  promise<int> never_asked;
  promise<int> forgotten;
  {
    auto dropped = forgotten.get_future();
  }
}

TEST_F(Promise, IsFulfilledOnce) {
  promise<int> bringer;
  auto answer = bringer.get_future();
  EXPECT_THROW(static_cast<void>(bringer.get_future()), acre::error);
  bringer.set_value(1);
  EXPECT_THROW(bringer.set_value(2), acre::error);
  EXPECT_THROW(bringer.set_exception(failure()), acre::error);
  promise<int> other = std::move(bringer);
  EXPECT_THROW(bringer.set_value(2), acre::error);
  EXPECT_THROW(static_cast<void>(bringer.get_future()), acre::error);
  EXPECT_EQ(answer.get(), 1);
}

TEST_F(Promise, GivesItsFutureAfterItsValue) {
  promise<int> bringer;
  bringer.set_value(8);
  EXPECT_EQ(bringer.get_future().get(), 8);
}

TEST_F(Promise, ConstructsTheValueInPlace) {
  promise<std::string> bringer;
  bringer.set_value(3U, 'x');
  EXPECT_EQ(bringer.get_future().get(), "xxx");
}

TEST_F(Promise, CanBeFulfilledAgainAfterAConstructorThrew) {
  struct picky {
    explicit picky(int x) : value(x) {
      if (x < 0) throw oops("negative");
    }
    int value;
  };
  promise<picky> bringer;
  auto answer = bringer.get_future();
  EXPECT_THROW(bringer.set_value(-1), oops);
  EXPECT_FALSE(answer.is_ready());
  bringer.set_value(1);
  EXPECT_EQ(answer.get().value, 1);
}

TEST_F(Promise, TravelsAsAWord) {
  promise<int> bringer;
  auto answer = bringer.get_future();
  const std::uint64_t word = std::move(bringer).to_word();
  promise<int>::from_word(word).set_value(11);
  EXPECT_EQ(answer.get(), 11);
}

TEST_F(WhenAll, GivesATupleWithoutTheVoids) {
  promise<int> a;
  promise<> b;
  promise<std::string> c;
  auto all = when_all(a.get_future(), b.get_future(), c.get_future());
  static_assert(std::is_same_v<decltype(all), future<std::tuple<int, std::string>>>);
  c.set_value("c");
  a.set_value(1);
  EXPECT_FALSE(all.is_ready());
  b.set_value();
  auto [number, text] = all.get();
  EXPECT_EQ(number, 1);
  EXPECT_EQ(text, "c");
}

TEST_F(WhenAll, OfVoidsIsVoid) {
  promise<> a;
  auto all = when_all(a.get_future(), make_ready_future());
  static_assert(std::is_same_v<decltype(all), future<void>>);
  EXPECT_FALSE(all.is_ready());
  a.set_value();
  all.get();
  when_all(make_ready_future(), make_ready_future()).get();
  when_all().get();
}

TEST_F(WhenAll, HandsTheElementsToThenOneByOne) {
  promise<std::unique_ptr<int>> a;
  auto sum = when_all(a.get_future(), make_ready_future(2)).then([](std::unique_ptr<int> x, int y) {
    return *x + y;
  });
  a.set_value(std::make_unique<int>(40));
  EXPECT_EQ(sum.get(), 42);
  const auto whole = [](std::tuple<int, int> both) { return std::get<0>(both); };
  EXPECT_EQ(when_all(make_ready_future(1), make_ready_future(2)).then(whole).get(), 1);
}

TEST_F(WhenAll, FailsWithTheFirstFailureOnceAllAreThere) {
  promise<int> a;
  promise<int> b;
  promise<int> c;
  auto all = when_all(a.get_future(), b.get_future(), c.get_future());
  c.set_exception(failure("third"));
  b.set_exception(failure("second"));
  EXPECT_FALSE(all.is_ready());
  a.set_value(1);
  ASSERT_TRUE(all.has_failed());
  try {
    all.get();
    FAIL();
  } catch (const oops& first) {
    EXPECT_STREQ(first.what(), "second");
  }
  EXPECT_THROW(when_all(make_ready_future(1), make_failed_future<int>(failure())).get(), oops);
}

TEST_F(WhenAll, TakesAVector) {
  std::vector<promise<int>> bringers(100);
  std::vector<future<int>> futures;
  for (auto& bringer : bringers) futures.push_back(bringer.get_future());
  futures.push_back(make_ready_future(100));
  auto all = when_all(std::move(futures));
  static_assert(std::is_same_v<decltype(all), future<std::vector<int>>>);
  for (int i = 99; i >= 0; --i) {
    EXPECT_FALSE(all.is_ready());
    bringers[static_cast<std::size_t>(i)].set_value(i);
  }
  const std::vector<int> values = all.get();
  ASSERT_EQ(values.size(), 101U);
  for (int i = 0; i <= 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
}

TEST_F(WhenAll, TakesVectorsOfVoidOfBoolAndOfNothing) {
  std::vector<future<>> voids;
  promise<> last;
  voids.push_back(make_ready_future());
  voids.push_back(last.get_future());
  auto done = when_all(std::move(voids));
  static_assert(std::is_same_v<decltype(done), future<void>>);
  EXPECT_FALSE(done.is_ready());
  last.set_value();
  done.get();

  std::vector<future<bool>> flags;
  flags.push_back(make_ready_future(true));
  EXPECT_EQ(when_all(std::move(flags)).get(), std::vector<bool>{true});
  EXPECT_TRUE(when_all(std::vector<future<int>>{}).get().empty());
}

TEST_F(WhenAll, OfAVectorFailsWithTheFirstFailure) {
  std::vector<promise<int>> bringers(3);
  std::vector<future<int>> futures;
  for (auto& bringer : bringers) futures.push_back(bringer.get_future());
  auto all = when_all(std::move(futures));
  bringers[2].set_exception(failure("2"));
  bringers[1].set_exception(failure("1"));
  bringers[0].set_value(0);
  try {
    all.get();
    FAIL();
  } catch (const oops& first) {
    EXPECT_STREQ(first.what(), "1");
  }
}

TEST_F(WhenAll, GrowsInALoop) {
  std::vector<promise<>> bringers(1000);
  auto all = make_ready_future();
  for (auto& bringer : bringers) all = when_all(std::move(all), bringer.get_future());
  for (auto& bringer : bringers) {
    EXPECT_FALSE(all.is_ready());
    bringer.set_value();
  }
  EXPECT_TRUE(all.is_ready());
}

TEST_F(LostFailures, AreRethrownLater) {
  EXPECT_NO_THROW(acre::runtime::rethrow_lost_failure());
  {
    promise<int> bringer;
    auto dropped = bringer.get_future();
    bringer.set_exception(failure("lost"));
  }
  make_ready_future(1).then([](int) { throw oops("fire and forget"); });
  EXPECT_TRUE(acre::runtime::has_lost_failure());
  try {
    acre::runtime::rethrow_lost_failure();
    FAIL();
  } catch (const oops& lost) {
    EXPECT_STREQ(lost.what(), "lost");
  }
  EXPECT_THROW(acre::runtime::rethrow_lost_failure(), oops);
  EXPECT_NO_THROW(acre::runtime::rethrow_lost_failure());
}

TEST_F(LostFailures, AreFoundAtTheEndOfADroppedChain) {
  {
    promise<int> bringer;
    bringer.get_future().then([](int) -> int { throw oops("inside"); }).then([](int) {});
    bringer.set_value(1);
  }
  EXPECT_THROW(acre::runtime::rethrow_lost_failure(), oops);
}

// Turns may cost time slices.
constexpr std::chrono::seconds longest_race{2};

template <class Setup>
void race(int rounds, Setup setup) {
  const auto deadline = std::chrono::steady_clock::now() + longest_race;
  std::atomic<bool> ended{false};
  std::atomic<int> arrived{0};
  std::atomic<void (*)(void*)> work{nullptr};
  std::atomic<void*> argument{nullptr};
  std::thread helper([&] {
    for (int round = 1;; ++round) {
      while (arrived.load(std::memory_order_acquire) != 2 * round - 1) {
        if (ended) return;
        std::this_thread::yield();
      }
      work.load()(argument.load());
      arrived.fetch_add(1, std::memory_order_acq_rel);
    }
  });
  for (int round = 1; round <= rounds && std::chrono::steady_clock::now() < deadline; ++round) {
    setup(
        [&](auto& concurrent) {
          using job = std::remove_reference_t<decltype(concurrent)>;
          work = [](void* self) { (*static_cast<job*>(self))(); };
          argument = &concurrent;
          arrived.fetch_add(1, std::memory_order_acq_rel);
        },
        [&] {
          while (arrived.load(std::memory_order_acquire) != 2 * round) std::this_thread::yield();
        });
  }
  ended = true;
  helper.join();
}

constexpr int rounds = 20'000;

TEST_F(Future, GetAndFulfilFromTwoThreads) {
  int wrong = 0;
  race(rounds, [&](auto start, auto join) {
    promise<std::string> bringer;
    auto answer = bringer.get_future();
    auto fulfil = [&, mine = std::move(bringer)]() mutable {
      mine.set_value("a string too long to be stored in place");
    };
    start(fulfil);
    wrong += answer.get() != "a string too long to be stored in place";
    join();
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(Future, AttachAndFulfilFromTwoThreads) {
  int wrong = 0;
  race(rounds, [&](auto start, auto join) {
    promise<int> bringer;
    auto answer = bringer.get_future();
    std::atomic<int> calls{0};
    auto fulfil = [&] { bringer.set_value(20); };
    start(fulfil);
    auto next = std::move(answer).then([&](int x) {
      ++calls;
      return make_ready_future(x + 1).then([](int y) { return 2 * y; });
    });
    wrong += next.get() != 42;
    join();
    wrong += calls != 1;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(Future, UnwrapAndFulfilFromTwoThreads) {
  int wrong = 0;
  race(rounds, [&](auto start, auto join) {
    promise<> outer;
    promise<int> inner;
    auto next =
        outer.get_future().then([f = inner.get_future()]() mutable { return std::move(f); });
    auto fulfil = [&] { inner.set_value(7); };
    start(fulfil);
    outer.set_value();
    wrong += next.get() != 7;
    join();
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(WhenAll, CollectsOnceFromTwoThreads) {
  int wrong = 0;
  race(rounds, [&](auto start, auto join) {
    promise<int> a;
    promise<int> b;
    auto all = when_all(a.get_future(), b.get_future());
    auto fulfil = [&] { b.set_value(2); };
    start(fulfil);
    a.set_value(1);
    wrong += all.get() != std::tuple(1, 2);
    join();
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(Promise, BreaksWhileTheFutureIsDropped) {
  race(rounds, [&](auto start, auto join) {
    promise<int> bringer;
    auto answer = bringer.get_future();
    auto abandon = [&] { auto dropped = std::move(bringer); };
    start(abandon);
    {
      auto dropped = std::move(answer);
    }
    join();
    try {
      acre::runtime::rethrow_lost_failure();
    } catch (const acre::error&) {
    }
  });
}

TEST_F(Future, ReadyFuturesAllocateNothing) {
  const long before = allocations;
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    sum += make_ready_future(i).then([](int x) { return x + 1; }).get();
    when_all(make_ready_future(i), make_ready_future()).then([&](int x) { sum += x; }).get();
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(sum, 10'000);
}

TEST_F(Promise, RoundsReuseTheirBlocks) {
  if (!acre::runtime::keeps_blocks()) GTEST_SKIP() << "not under the address sanitizer";
  const auto round = [](int i) {
    promise<int> bringer;
    auto next = bringer.get_future().then([](int x) { return x + 1; });
    bringer.set_value(i);
    return next.get();
  };
  int sum = round(0);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) sum += round(i);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(sum, 5051);
}

}  // namespace
