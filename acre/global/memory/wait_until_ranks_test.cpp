// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/runtime/stall_watch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>

namespace {

TEST(WaitUntil, RunsWhatOthersAsk) {
  static int calls = 0;
  calls = 0;
  acre::barrier();
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) acre::rpc_ff(rank, [] { ++calls; });
  acre::wait_until([] { return calls == static_cast<int>(acre::size()); });
  EXPECT_EQ(calls, static_cast<int>(acre::size()));
  acre::barrier();
}

TEST(WaitUntil, SeesWordsThatOthersPut) {
  acre::global_ptr<long> word = acre::allocate<long>(1);
  std::atomic_ref<long> mine(*word.local());
  mine = 0;
  const auto words = acre::world().allgather(word);
  const auto next = words[(acre::rank() + 1) % acre::size()];
  constexpr long rounds = 50;
  for (long round = 1; round <= rounds; ++round) {
    const auto came = [&] { return mine.load(std::memory_order_acquire) >= round; };
    if (acre::rank() != 0) acre::wait_until(came);
    acre::put(next, round);
    if (acre::rank() == 0) acre::wait_until(came);
  }
  EXPECT_EQ(mine, rounds);
  acre::barrier();
  acre::deallocate(word);
}

TEST(WaitUntil, ThrowsWhatItsPredicateThrows) {
  int looks = 0;
  EXPECT_THROW(acre::wait_until([&]() -> bool {
                 if (++looks == 3) throw std::runtime_error("enough");
                 return false;
               }),
               std::runtime_error);
  EXPECT_EQ(looks, 3);
}

TEST(WaitUntil, ThrowsWhatAFunctionThrewMeanwhile) {
  static bool came = false;
  came = false;
  acre::barrier();
  acre::rpc_ff(acre::rank(), [] {
    came = true;
    throw std::runtime_error("of the function");
  });
  EXPECT_THROW(acre::wait_until([] { return came; }), std::runtime_error);
  acre::barrier();
}

TEST(WaitUntil, NamesTheCallersLineToTheStallWatch) {
  if (acre::size() < 2) return;
  static bool released = false;
  released = false;
  acre::barrier();
  if (acre::rank() == 1) {
    acre::wait_until([] { return released; });
  } else if (acre::rank() == 0) {
    std::string where;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do {
      acre::progress();
      where = acre::runtime::where_is(1);
    } while (where.find("waits in wait_until at") == std::string::npos &&
             std::chrono::steady_clock::now() < give_up);
    EXPECT_NE(where.find("wait_until_ranks_test.cpp:"), std::string::npos) << where;
    acre::rpc_ff(1, [] { released = true; });
  }
  acre::barrier();
}

}  // namespace
