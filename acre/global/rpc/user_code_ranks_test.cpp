// SPDX-License-Identifier: BSD-3-Clause
// Selection of the thread that runs user code.
#include <acre/acre.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }

std::atomic<int> runs_here{0};
std::atomic<int> runs_elsewhere{0};
std::thread::id chosen;

void note_thread() { ++(std::this_thread::get_id() == chosen ? runs_here : runs_elsewhere); }

int ask(int x) {
  note_thread();
  return x + 1;
}

void choose_this_thread() {
  chosen = std::this_thread::get_id();
  runs_here = 0;
  runs_elsewhere = 0;
  acre::barrier();
}

void serve_until_all_are_done(std::thread& worker, const std::atomic<bool>& done) {
  acre::runtime::wait_until([&] { return done.load(); }, "test");
  worker.join();
  acre::barrier();
}

TEST(UserCode, RunsInTheChosenThreadOnly) {
  choose_this_thread();
  constexpr int calls = 100;
  {
    const acre::user_code_thread here;
    acre::barrier();
    std::atomic<bool> done{false};
    std::thread worker([&] {
      for (int i = 0; i < calls; ++i) {
        EXPECT_EQ(acre::rpc(next_rank(), ask, i).get(), i + 1);
        acre::progress();
      }
      done = true;
    });
    serve_until_all_are_done(worker, done);
  }
  EXPECT_EQ(runs_here, calls);
  EXPECT_EQ(runs_elsewhere, 0);
  acre::barrier();
}

acre::task<> ask_twice() {
  int x = co_await acre::rpc(next_rank(), ask, 1);
  note_thread();
  x = co_await acre::rpc(next_rank(), ask, x);
  note_thread();
  EXPECT_EQ(x, 3);
}

TEST(UserCode, DirectsContinuationsAndCoroutines) {
  choose_this_thread();
  constexpr int rounds = 20;
  {
    const acre::user_code_thread here;
    acre::barrier();
    std::atomic<bool> done{false};
    std::thread worker([&] {
      for (int i = 0; i < rounds; ++i) ask_twice().get();
      done = true;
    });
    serve_until_all_are_done(worker, done);
  }
  EXPECT_GE(runs_here, 2 * rounds);
  EXPECT_EQ(runs_here + runs_elsewhere, 4 * rounds);
  acre::barrier();
}

TEST(UserCode, LetsOtherThreadsPutAndGetMeanwhile) {
  const auto words = acre::allocate_symmetric<std::uint64_t>();
  acre::put(acre::at_rank(words, acre::rank()), std::uint64_t{0});
  acre::barrier();
  {
    const acre::user_code_thread here;
    std::thread([&] {
      const auto there = acre::at_rank(words, next_rank());
      for (int i = 0; i < 50; ++i) acre::fetch_add(there, std::uint64_t{1});
      EXPECT_EQ(acre::get(there), 50U);
    }).join();
    acre::barrier();
  }
  acre::deallocate_symmetric(words);
}

TEST(UserCode, BelongsToOneThreadAtATime) {
  acre::barrier();
  {
    const acre::user_code_thread here;
    const acre::user_code_thread again;
    std::thread([] { EXPECT_THROW(acre::user_code_thread(), acre::error); }).join();
  }
  std::thread([] {
    const acre::user_code_thread there;
    EXPECT_EQ(acre::rpc(acre::rank(), ask, 1).get(), 2);
  }).join();
  EXPECT_EQ(acre::rpc(next_rank(), ask, 1).get(), 2);
  acre::barrier();
}

TEST(UserCode, MayWaitInTheChosenThreadForAnother) {
  choose_this_thread();
  {
    const acre::user_code_thread here;
    acre::barrier();
    acre::promise<int> promised;
    auto answer = promised.get_future();
    std::thread worker([&] {
      int sum = 0;
      for (int i = 0; i < 20; ++i) sum += acre::rpc(next_rank(), ask, i).get();
      promised.set_value(sum);
    });
    EXPECT_EQ(answer.get(), 210);
    worker.join();
    acre::barrier();
  }
  EXPECT_EQ(runs_elsewhere, 0);
  acre::barrier();
}

}  // namespace
