// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/base/bits.hpp>
#include <acre/global/team/counted_runs_test.hpp>
#include <acre/global/team/quiescence.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using acre::testing::all_runs;
using acre::testing::next_rank;
using acre::testing::runs;
using acre::testing::start_counting;

void go_on(int hops) {
  ++runs;
  if (hops > 1) acre::rpc_ff(next_rank(), go_on, hops - 1);
}

TEST(QuiescenceSmoke, ComesAfterAChainOfCalls) {
  for (const int hops : {1, 7, 100}) {
    start_counting();
    if (acre::rank() == 0) {
      acre::rpc_ff(next_rank(), go_on, hops);
      acre::quiescence().get();
      std::uint64_t seen = 0;
      for (acre::rank_t r = 0; r < acre::size(); ++r) {
        seen += acre::rpc(r, [] { return runs.load(); }).get();
      }
      EXPECT_EQ(seen, std::uint64_t(hops));
    }
    acre::barrier();
    EXPECT_EQ(all_runs(), std::uint64_t(hops));
  }
}

void branch(std::uint64_t number, int height) {
  ++runs;
  if (height == 0) return;
  for (std::uint64_t i = 0; i < acre::mix_bits(number) % 5; ++i) {
    const std::uint64_t child = acre::mix_bits(number + i + 1);
    acre::rpc_ff(acre::rank_t(child % acre::size()), branch, child, height - 1);
  }
}
std::uint64_t size_of_branch(std::uint64_t number, int height) {
  if (height == 0) return 1;
  std::uint64_t all = 1;
  for (std::uint64_t i = 0; i < acre::mix_bits(number) % 5; ++i) {
    all += size_of_branch(acre::mix_bits(number + i + 1), height - 1);
  }
  return all;
}

TEST(QuiescenceSmoke, ComesAfterTreesOfCallsOfAllRanks) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    start_counting();
    std::uint64_t wanted = 0;
    for (acre::rank_t r = 0; r < acre::size(); ++r) wanted += size_of_branch(seed + 100 * r, 6);
    branch(seed + 100 * acre::rank(), 6);
    acre::barrier();
    std::vector<acre::future<>> quiet;
    for (int i = 0; i < 3; ++i) quiet.push_back(acre::quiescence());
    for (acre::future<>& each : quiet) each.get();
    EXPECT_EQ(all_runs(), wanted);
  }
}

TEST(Quiescence, WaitsForCallsThatAwaitFutures) {
  static acre::promise<>* held = nullptr;
  start_counting();
  if (acre::rank() == 0) {
    acre::rpc_ff(next_rank(), [] {
      held = new acre::promise<>;
      return held->get_future().then([] { ++runs; });
    });
    acre::future<> quiet = acre::quiescence();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (std::chrono::steady_clock::now() < end) acre::progress();
    EXPECT_FALSE(quiet.is_ready());
    acre::rpc(next_rank(), [] { held->set_value(); }).get();
    quiet.get();
    EXPECT_EQ(acre::rpc(next_rank(), [] { return runs.load(); }).get(), 1);
  }
  acre::barrier();
  delete std::exchange(held, nullptr);
}

TEST(Quiescence, RunsAContinuationAfterTheCallThatAttachesIt) {
  start_counting();
  if (acre::rank() == 0) {
    acre::rpc_ff(next_rank(), [] {
      static_cast<void>(acre::quiescence().then([] { runs += 10; }));
      ++runs;
      acre::rpc_ff(next_rank(), go_on, 3);
    });
    acre::quiescence().get();
  }
  acre::wait_until([] { return acre::rank() != 1 % acre::size() || runs >= 10; });
  acre::barrier();
  EXPECT_EQ(all_runs(), 14);
}

TEST(Quiescence, IsNotAwaitedInCalls) {
  EXPECT_THROW(acre::rpc(next_rank(), [] { acre::quiescence().wait(); }).get(), acre::error);
  EXPECT_THROW(acre::rpc(next_rank(), [] { acre::quiescence().share().wait(); }).get(),
               acre::error);
  acre::barrier();
}

}  // namespace
