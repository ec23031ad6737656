// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/collect.hpp>
#include <acre/agas/counters.hpp>
#include <acre/agas/detail/credit.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <tuple>
#include <vector>

namespace {

std::atomic<int> alive = 0;

struct leaf {
  leaf() { ++alive; }
  leaf(const leaf&) = delete;
  ~leaf() { --alive; }
};

int all_alive() {
  acre::drain();
  return acre::world().allreduce(alive.load());
}

/// While it exists, the credit of fewer objects waits.
struct with_threshold {
  explicit with_threshold(std::size_t objects) { acre::agas::start_credit(objects); }
  ~with_threshold() { acre::agas::start_credit(1); }
};

/// The credit that remains at the homes, when the makers have the references, is returned.
std::vector<acre::object_ref<leaf>> make_elsewhere(std::size_t count) {
  std::vector<acre::object_ref<leaf>> made;
  for (std::size_t i = 0; i < count; ++i) {
    made.push_back(acre::create<leaf>((acre::rank() + 1) % acre::size()).get());
  }
  acre::barrier();
  acre::collect();
  acre::drain();
  return made;
}

TEST(CollectSmoke, EndsObjectsWhoseCreditWaits) {
  const with_threshold of_objects(100);
  auto made = make_elsewhere(7);
  EXPECT_EQ(all_alive(), static_cast<int>(7 * acre::size()));
  made.clear();
  EXPECT_EQ(all_alive(), static_cast<int>(7 * acre::size()));
  EXPECT_EQ(acre::read_agas_counter("/agas/count/credit/waiting"), 7U);
  EXPECT_EQ(acre::collect(), 7U);
  EXPECT_EQ(all_alive(), 0);
  EXPECT_EQ(acre::read_agas_counter("/agas/count/credit/waiting"), 0U);
  EXPECT_EQ(acre::collect(), 0U);
  acre::barrier();
}

TEST(Collect, IsNotNeededAtTheThreshold) {
  const with_threshold of_objects(10);
  auto made = make_elsewhere(12);
  for (int i = 0; i < 9; ++i) made.pop_back();
  EXPECT_EQ(all_alive(), static_cast<int>(12 * acre::size()));
  made.pop_back();
  EXPECT_EQ(all_alive(), static_cast<int>(2 * acre::size()));
  made.clear();
  EXPECT_EQ(all_alive(), static_cast<int>(2 * acre::size()));
  acre::collect();
  EXPECT_EQ(all_alive(), 0);
}

TEST(Collect, FindsNothingWithoutAThreshold) {
  make_elsewhere(5).clear();
  EXPECT_EQ(all_alive(), 0);
  EXPECT_EQ(acre::collect(), 0U);
  acre::barrier();
}

TEST(Collect, LeavesObjectsThatAreReferredToAgain) {
  const with_threshold of_objects(100);
  const auto kept = acre::create_here<leaf>();
  acre::barrier();
  const acre::rank_t other = (acre::rank() + 1) % acre::size();
  acre::rpc(other, [](const acre::object_ref<leaf>&) {}, kept).get();
  EXPECT_EQ(acre::rpc(other, [] { return acre::collect(); }).get(), acre::size() == 1 ? 0U : 1U);
  EXPECT_EQ(all_alive(), static_cast<int>(acre::size()));
  acre::barrier();
}

TEST(Collect, MayRunWhileOtherThreadsDropReferences) {
  const with_threshold of_objects(4);
  std::vector<std::vector<acre::object_ref<leaf>>> of_threads;
  for (int i = 0; i < 3; ++i) of_threads.push_back(make_elsewhere(50));
  std::vector<std::thread> threads;
  std::atomic<int> running = 3;
  for (auto& mine : of_threads) {
    threads.emplace_back([&mine, &running] {
      while (!mine.empty()) mine.pop_back();
      --running;
    });
  }
  while (running != 0) {
    acre::collect();
    acre::progress();
  }
  for (std::thread& each : threads) each.join();
  acre::collect();
  EXPECT_EQ(all_alive(), 0);
}

}  // namespace
