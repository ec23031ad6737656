// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/global_lock.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>

namespace {

using acre::global_lock;
using acre::global_ptr;
using acre::hosted_by;

class shared_numbers {
 public:
  shared_numbers() {
    if (acre::rank() == acre::size() - 1) {
      all_ = acre::allocate<std::uint64_t>(8);
      for (int i = 0; i < 8; ++i) all_.local()[i] = 0;
    }
    all_ = acre::world().broadcast(all_, acre::size() - 1);
  }
  ~shared_numbers() {
    acre::barrier();
    if (all_.rank() == acre::rank()) acre::deallocate(all_);
  }
  shared_numbers(const shared_numbers&) = delete;
  shared_numbers& operator=(const shared_numbers&) = delete;
  [[nodiscard]] global_ptr<std::uint64_t> operator[](int i) const { return all_ + i; }

 private:
  global_ptr<std::uint64_t> all_;
};

constexpr std::uint64_t rounds = 40;

TEST(GlobalLockSmoke, LetsOneRankInAtATime) {
  for (const acre::rank_t host : {acre::rank_t{0}, acre::size() - 1}) {
    const shared_numbers numbers;
    global_lock lock(acre::world(), hosted_by{host});
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const std::scoped_lock held(lock);
      EXPECT_TRUE(lock.is_held());
      EXPECT_EQ(acre::get(numbers[0]), acre::get(numbers[1]));
      acre::put(numbers[0], acre::get(numbers[0]) + 1);
      acre::put(numbers[1], acre::get(numbers[1]) + 1);
    }
    EXPECT_FALSE(lock.is_held());
    acre::barrier();
    EXPECT_EQ(acre::get(numbers[0]), rounds * acre::size());
  }
}

TEST(GlobalLock, ShowsTheNextWhatWasWrittenWithoutWaiting) {
  const shared_numbers numbers;
  global_lock lock(acre::world());
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const std::scoped_lock held(lock);
    const std::uint64_t before = acre::get(numbers[0]);
    for (int n = 1; n < 8; ++n) ASSERT_EQ(acre::get(numbers[n]), before);
    for (int n = 0; n < 8; ++n) acre::put_nbi(numbers[n], before + 1);
  }
  acre::barrier();
  EXPECT_EQ(acre::get(numbers[7]), rounds * acre::size());
}

TEST(GlobalLock, IsTriedWithoutWaiting) {
  global_lock lock(acre::world(), hosted_by{acre::size() - 1});
  const acre::rank_t holder = acre::size() / 2;
  if (acre::rank() == holder) {
    EXPECT_TRUE(lock.try_lock());
  }
  acre::barrier();
  if (acre::rank() != holder) {
    EXPECT_FALSE(lock.try_lock());
  }
  acre::barrier();
  if (acre::rank() == holder) lock.unlock();
  acre::barrier();
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
    if (acre::rank() == turn) {
      EXPECT_TRUE(lock.try_lock());
      lock.unlock();
    }
    acre::barrier();
  }
}

TEST(GlobalLock, IsTriedAndWaitedForAtOnce) {
  const shared_numbers numbers;
  global_lock lock(acre::world());
  for (std::uint64_t i = 0; i < rounds; ++i) {
    if (i % 2 == acre::rank() % 2) {
      lock.lock();
    } else {
      while (!lock.try_lock()) acre::progress();
    }
    acre::put(numbers[0], acre::get(numbers[0]) + 1);
    lock.unlock();
  }
  acre::barrier();
  EXPECT_EQ(acre::get(numbers[0]), rounds * acre::size());
}

TEST(GlobalLock, IsTakenWhileAnotherIsHeld) {
  const shared_numbers numbers;
  global_lock first(acre::world(), hosted_by{0});
  global_lock second(acre::world(), hosted_by{acre::size() - 1});
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::optional<std::scoped_lock<global_lock>> outer;
    if (i % 2 == 0) outer.emplace(first);
    const std::scoped_lock held(second);
    acre::put(numbers[0], acre::get(numbers[0]) + 1);
  }
  acre::barrier();
  EXPECT_EQ(acre::get(numbers[0]), rounds * acre::size());
}

TEST(GlobalLock, LetsThoseWhoWaitAnswer) {
  global_lock lock(acre::world());
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  for (int i = 0; i < 5; ++i) {
    const std::scoped_lock held(lock);
    EXPECT_EQ(acre::rpc(next, [](int x) { return x + 1; }, i).get(), i + 1);
  }
  acre::barrier();
}

TEST(GlobalLock, IsTakenAsTheStandardLibraryTakesMutexes) {
  const shared_numbers numbers;
  global_lock lock(acre::world());
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::unique_lock held(lock, std::defer_lock);
    EXPECT_FALSE(held.owns_lock());
    if (i % 2 == 0) {
      held.lock();
    } else {
      while (!held.try_lock()) acre::progress();
    }
    acre::put(numbers[0], acre::get(numbers[0]) + 1);
    held.unlock();
    const std::unique_lock perhaps(lock, std::try_to_lock);
    if (perhaps.owns_lock()) acre::put(numbers[1], acre::get(numbers[1]) + 1);
    EXPECT_EQ(perhaps.owns_lock(), lock.is_held());
  }
  acre::barrier();
  EXPECT_EQ(acre::get(numbers[0]), rounds * acre::size());
  EXPECT_LE(acre::get(numbers[1]), rounds * acre::size());
}

TEST(GlobalLock, BelongsToATeam) {
  const shared_numbers numbers;
  const int color = static_cast<int>(acre::rank() % 2);
  const acre::team half = acre::world().split(color, -static_cast<int>(acre::rank()));
  {
    global_lock lock(half, hosted_by{half.size() - 1});
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const std::unique_lock held(lock);
      acre::put(numbers[color], acre::get(numbers[color]) + 1);
    }
  }
  half.barrier();
  EXPECT_EQ(acre::get(numbers[color]), rounds * half.size());
}

TEST(GlobalLock, CostsAnAtomicEachWayWhenNobodyWaits) {
  global_lock lock(acre::world(), hosted_by{acre::size() - 1});
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
    if (acre::rank() == turn) {
      const auto before = acre::counters();
      lock.lock();
      lock.unlock();
      const auto spent = acre::counters() - before;
      EXPECT_EQ(spent.atomics, 2U);
      EXPECT_EQ(spent.reads + spent.writes, 0U);
    }
    acre::barrier();
  }
}

TEST(GlobalLock, RefusesWhatWouldWaitForItself) {
  global_lock lock(acre::world());
  EXPECT_THROW(lock.unlock(), acre::error);
  {
    const std::scoped_lock held(lock);
    EXPECT_THROW(lock.lock(), acre::error);
    EXPECT_THROW(static_cast<void>(lock.try_lock()), acre::error);
  }
  EXPECT_THROW(lock.unlock(), acre::error);
  acre::barrier();
}

TEST(GlobalLock, NamesWhereItWasMadeWhenTheStandardLibraryTakesIt) {
  const unsigned made_at = std::source_location::current().line() + 1;
  global_lock lock(acre::world());
  {
    const std::scoped_lock held(lock);
    try {
      const std::scoped_lock again(lock);
      ADD_FAILURE() << "taken twice";
    } catch (const acre::error& refused) {
      const std::string place = "global_lock_ranks_test.cpp:" + std::to_string(made_at);
      EXPECT_TRUE(refused.problem().ends_with(place)) << refused.problem();
    }
  }
  acre::barrier();
}

TEST(GlobalLock, RefusesDifferentHosts) {
  if (acre::size() == 1) return;
  EXPECT_THROW(global_lock(acre::world(), hosted_by{acre::rank() == 0 ? 1U : 0U}), acre::error);
  EXPECT_THROW(global_lock(acre::world(), hosted_by{acre::size()}), acre::error);
}

}  // namespace
