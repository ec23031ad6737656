// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/global/team/counted_runs_test.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace {

using acre::testing::all_runs;
using acre::testing::next_rank;
using acre::testing::runs;
using acre::testing::start_counting;

TEST(DrainSmoke, WaitsForAllCallsThatWereSentBefore) {
  for (int round = 0; round < 5; ++round) {
    start_counting();
    constexpr std::uint64_t calls = 200;
    for (std::uint64_t i = 0; i < calls; ++i) {
      for (acre::rank_t target = 0; target < acre::size(); ++target) {
        acre::rpc_ff(target, [] { ++runs; });
      }
    }
    acre::drain();
    EXPECT_EQ(runs, calls * acre::size());
    acre::barrier();
  }
}

void go_on(int hops) {
  ++runs;
  if (hops > 1) acre::rpc_ff(next_rank(), go_on, hops - 1);
}

TEST(Drain, WaitsForChainsOfCalls) {
  start_counting();
  constexpr int hops = 100;
  if (acre::rank() == 0) acre::rpc_ff(next_rank(), go_on, hops);
  acre::drain();
  EXPECT_EQ(all_runs(), static_cast<std::uint64_t>(hops));
}

struct tree {
  std::uint64_t number;
  int height;

  [[nodiscard]] std::uint64_t children() const {
    return height == 0 ? 0 : acre::mix_bits(number) % 5;
  }
  [[nodiscard]] tree child(std::uint64_t i) const {
    return {acre::mix_bits(number + i + 1), height - 1};
  }
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t all = 1;
    for (std::uint64_t i = 0; i < children(); ++i) all += child(i).size();
    return all;
  }
};

void visit(tree node) {
  ++runs;
  for (std::uint64_t i = 0; i < node.children(); ++i) {
    const tree below = node.child(i);
    const auto target = static_cast<acre::rank_t>(below.number % acre::size());
    if (below.number / 2 % 2 == 0) {
      acre::rpc_ff(target, visit, below);
    } else {
      static_cast<void>(acre::rpc(target, visit, below));
    }
  }
}

TEST(Drain, WaitsForTreesOfCalls) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    start_counting();
    const tree mine{seed << 32 | acre::rank(), 6};
    visit(mine);
    acre::drain();
    EXPECT_EQ(all_runs(), acre::world().allreduce(mine.size())) << "seed " << seed;
  }
}

TEST(Drain, WaitsForWhatHangsOnAnswers) {
  start_counting();
  const auto send_more = [](int x) {
    for (int i = 0; i < x; ++i) acre::rpc_ff(next_rank(), [] { ++runs; });
  };
  auto dropped = acre::rpc(next_rank(), [] { return 3; }).then(send_more);
  acre::drain();
  EXPECT_TRUE(dropped.is_ready());
  EXPECT_EQ(all_runs(), 3U * acre::size());
}

acre::task<> move_bytes(acre::global_ptr<std::uint64_t> there) {
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t read = co_await acre::get_async(there);
    co_await acre::put_async(there + 1, read);
    co_await acre::copy_async(there, there + 2, 1);
  }
  ++runs;
}

TEST(Drain, WaitsForFunctionsThatAwaitGetsPutsAndCopies) {
  start_counting();
  const auto words = acre::allocate_symmetric<std::uint64_t>(4);
  const acre::rank_t third = (next_rank() + 1) % acre::size();
  acre::rpc_ff(next_rank(), move_bytes, acre::at_rank(words, third));
  const auto awaited = acre::rpc(next_rank(), move_bytes, acre::at_rank(words, acre::rank()));
  acre::dist_object<int> mine(acre::world(), 0);
  acre::rpc_ff(
      next_rank(),
      [](acre::dist_object<int>&, acre::global_ptr<std::uint64_t> to) { return move_bytes(to); },
      mine, acre::at_rank(words, third));
  acre::drain();
  EXPECT_TRUE(awaited.is_ready());
  EXPECT_EQ(runs, 3);
  acre::barrier();
  acre::deallocate_symmetric(words);
}

TEST(Drain, WaitsForAnAnswerThatAnotherThreadPromises) {
  static std::thread timer;
  start_counting();
  const auto answer = acre::rpc(next_rank(), [] {
    acre::promise<int> later;
    auto coming = later.get_future();
    timer = std::thread([promised = std::move(later)]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      promised.set_value(7);
    });
    return std::move(coming).then([](int promised) {
      acre::rpc_ff(next_rank(), [] { ++runs; });
      return promised;
    });
  });
  acre::drain();
  EXPECT_TRUE(answer.is_ready());
  EXPECT_EQ(runs, 1);
  timer.join();
  acre::barrier();
}

TEST(Drain, WaitsForAnAnswerThatAnotherCallPromises) {
  static acre::promise<int>* later = nullptr;
  later = new acre::promise<int>;
  acre::barrier();
  const auto answer = acre::rpc(next_rank(), [] { return later->get_future(); });
  acre::rpc_ff(next_rank(), [] { later->set_value(7); });
  acre::drain();
  EXPECT_TRUE(answer.is_ready());
  acre::barrier();
  delete later;
}

TEST(Drain, WaitsForCallsThatComeWithPuts) {
  start_counting();
  const auto words = acre::allocate_symmetric<std::uint64_t>(64);
  constexpr int calls = 60;
  for (int i = 0; i < calls; ++i) {
    acre::put(acre::at_rank(words, next_rank()) + i, std::uint64_t{1},
              acre::then_at_target([] { ++runs; }));
  }
  acre::drain();
  EXPECT_EQ(runs, calls);
  acre::barrier();
  acre::deallocate_symmetric(words);
}

TEST(Drain, WaitsForCallsThatComeWithCopies) {
  start_counting();
  const auto words = acre::allocate_symmetric<std::uint64_t>(2000);
  const acre::rank_t third = (next_rank() + 1) % acre::size();
  for (acre::rank_t i = 0; i < 20; ++i) {
    auto copied = acre::copy_async(
        acre::at_rank(words, third), acre::at_rank(words, next_rank()) + 1000, 1000,
        acre::on_operation(acre::as_future), acre::then_at_target([] { ++runs; }));
    acre::drain();
    ASSERT_EQ(all_runs(), (i + 1) * acre::size());
    copied.get();
  }
  acre::barrier();
  acre::deallocate_symmetric(words);
}

TEST(Drain, WaitsForCallsThatWaitForTheirObject) {
  start_counting();
  constexpr int calls = 20;
  {
    acre::dist_object<int> numbers(acre::world(), 0);
    for (int i = 0; i < calls; ++i) {
      acre::rpc_ff(next_rank(), [](acre::dist_object<int>& mine) { ++*mine; }, numbers);
    }
    acre::drain();
    EXPECT_EQ(*numbers, calls);
    acre::barrier();
  }
}

TEST(Drain, ReturnsWhenNothingWasSent) {
  for (int i = 0; i < 20; ++i) acre::drain();
  EXPECT_THROW(acre::rpc_ff(acre::size(), [] {}), acre::error);
  acre::drain();
}

TEST(Drain, ThrowsWhatAFunctionHasThrownHere) {
  {
    // The rpc_ff() of a neighbour that leaves this barrier first may run, and throw, in it.
    const acre::runtime::failures_held until_all_are_here;
    acre::barrier();
  }
  acre::rpc_ff(next_rank(), [] { throw std::runtime_error("thrown on purpose"); });
  EXPECT_THROW(acre::drain(), std::runtime_error);
  acre::drain();
}

TEST(Drain, CountsWhatOtherThreadsSend) {
  start_counting();
  constexpr std::uint64_t calls = 300;
  const auto send_some = [] {
    for (std::uint64_t i = 0; i < calls; ++i) acre::rpc_ff(next_rank(), [] { ++runs; });
  };
  std::thread(send_some).join();
  std::atomic<bool> sent{false};
  std::atomic<bool> over{false};
  std::thread stays([&] {
    send_some();
    sent = true;
    sent.notify_one();
    over.wait(false);
  });
  sent.wait(false);
  acre::drain();
  EXPECT_EQ(runs, 2 * calls);
  over = true;
  over.notify_one();
  stays.join();
  acre::barrier();
}

TEST(Drain, WaitsForFunctionsThatOtherThreadsRun) {
  start_counting();
  constexpr int hops = 50;
  std::atomic<bool> over{false};
  std::thread other([&] { acre::runtime::wait_until([&] { return over.load(); }, "test"); });
  acre::rpc_ff(next_rank(), go_on, hops);
  acre::drain();
  EXPECT_EQ(all_runs(), std::uint64_t{hops} * acre::size());
  over = true;
  other.join();
  acre::barrier();
}

}  // namespace
