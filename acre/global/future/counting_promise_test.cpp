// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/future/counting_promise.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using acre::counting_promise;

struct oops : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(CountingPromise, IsReadyWhenItIsClosedAndNothingIsMissing) {
  counting_promise all;
  const auto early = all.get_future();
  all.expect(3);
  all.arrive(2);
  all.arrive();
  EXPECT_FALSE(early.is_ready());
  all.expect();
  const auto late = all.close();
  EXPECT_FALSE(late.is_ready());
  all.arrive();
  EXPECT_TRUE(early.is_ready() && late.is_ready());
  all.close().wait();
}

TEST(CountingPromise, OfNothingIsReadyWhenItIsClosed) {
  EXPECT_TRUE(counting_promise().close().is_ready());
}

TEST(CountingPromise, IsClosedByItsEnd) {
  acre::shared_future<> done;
  {
    const counting_promise all;
    done = all.get_future();
    EXPECT_FALSE(done.is_ready());
  }
  EXPECT_TRUE(done.is_ready());
}

TEST(CountingPromise, MayGoBeforeWhatItExpects) {
  acre::shared_future<> done;
  std::vector<acre::global::expected_arrival> under_way;
  {
    const counting_promise all;
    for (int i = 0; i < 3; ++i) {
      under_way.push_back(acre::global::counting_access::expect_one(all));
    }
    done = all.get_future();
  }
  under_way.pop_back();
  under_way[0].arrive();
  EXPECT_FALSE(done.is_ready());
  under_way.clear();
  EXPECT_TRUE(done.is_ready());
}

TEST(CountingPromise, FailsOnceAllIsThereWithTheFirstFailure) {
  counting_promise all;
  all.expect(3);
  const auto done = all.close();
  all.arrive_failed(std::make_exception_ptr(oops("first")));
  all.arrive_failed(std::make_exception_ptr(oops("second")));
  EXPECT_FALSE(done.is_ready());
  all.arrive();
  try {
    done.get();
    FAIL();
  } catch (const oops& seen) {
    EXPECT_STREQ(seen.what(), "first");
  }
  EXPECT_FALSE(acre::runtime::has_lost_failure());
}

TEST(CountingPromise, SaysThatMoreHasArrivedThanWasExpected) {
  counting_promise all;
  EXPECT_THROW(all.arrive(), acre::error);
  all.expect();
  EXPECT_THROW(all.arrive(2), acre::error);
  EXPECT_FALSE(all.get_future().is_ready());
  all.arrive();
  EXPECT_TRUE(all.close().is_ready());
  EXPECT_THROW(all.arrive(), acre::error);
  const counting_promise taken = std::move(all);
  EXPECT_THROW(all.arrive(), acre::error);  // NOLINT(bugprone-use-after-move)
}

TEST(CountingPromise, CountsWhatArrivesOnManyThreads) {
  counting_promise all;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    all.expect(1000);
    threads.emplace_back([&all] {
      for (int i = 0; i < 1000; ++i) all.arrive();
    });
  }
  const auto done = all.close();
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(done.is_ready());
}

}  // namespace
