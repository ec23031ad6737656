// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/shared.hpp>
#include <acre/array/shared_counter.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace {

using acre::hosted_by;
using acre::shared;
using acre::shared_counter;

static_assert(std::input_iterator<shared_counter::chunk_range::iterator>);

TEST(SharedSmoke, HoldsNumbersOfOneToSixteenBytes) {
  const shared<std::int16_t> narrow(acre::world(), 5);
  const shared<std::complex<double>> wide(acre::world());
  for (int i = 0; i < 10; ++i) {
    narrow.fetch_add(-1);
    wide.fetch_add({1.0, -2.0});
  }
  acre::barrier();
  const int ranks = static_cast<int>(acre::size());
  EXPECT_EQ(narrow.get(), 5 - 10 * ranks);
  EXPECT_EQ(wide.get(), std::complex<double>(10.0 * ranks, -20.0 * ranks));
  acre::barrier();
}

TEST(SharedSmoke, IsOneValueForAll) {
  for (acre::rank_t host = 0; host < acre::size(); ++host) {
    shared<std::int64_t> sum(acre::world(), 100, hosted_by{host});
    EXPECT_EQ(sum.get(), 100);
    acre::barrier();
    for (int i = 0; i < 20; ++i) sum.fetch_add(acre::rank() + 1);
    acre::barrier();
    EXPECT_EQ(sum.get(), 100 + 10 * static_cast<int>(acre::size() * (acre::size() + 1)));
    EXPECT_EQ(sum.host().number(), host);
  }
}

TEST(Shared, IsUpdatedInOneStep) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  shared<double> least(half, 1e9, hosted_by{half.size() - 1});
  shared<std::uint32_t> largest(half, 3);
  shared<int> winner(half, -1);
  least.fetch_min(10.0 - half.rank());
  largest.fetch_max(half.rank());
  const int before = winner.compare_exchange(-1, static_cast<int>(half.rank()));
  half.barrier();
  EXPECT_EQ(least.get(), 11.0 - half.size());
  EXPECT_EQ(largest.get(), half.size() > 4 ? half.size() - 1 : 3);
  EXPECT_EQ(winner.get() == static_cast<int>(half.rank()), before == -1);
  half.barrier();
  if (half.rank() == 0) {
    const int won = winner.get();
    EXPECT_EQ(winner.exchange(-5), won);
    EXPECT_EQ(winner.get(), -5);
    largest.set(77);
  }
  half.barrier();
  EXPECT_EQ(largest.get(), 77U);
}

struct interval {
  double from, to;
  char name[12];
};

TEST(Shared, IsOfAnyTypeThatTravelsAsBytes) {
  shared<interval> kept(acre::world(), {1, 2, "first"}, hosted_by{acre::size() - 1});
  EXPECT_EQ(kept.get().to, 2);
  acre::barrier();
  if (acre::rank() == 0) kept.set({3, 4, "second"});
  acre::barrier();
  EXPECT_EQ(kept.get().from, 3);
  EXPECT_STREQ(kept.get().name, "second");
  acre::barrier();
}

TEST(Shared, MovesAndSaysWhatIsWrong) {
  shared<int> later;
  EXPECT_FALSE(later);
  EXPECT_THROW(static_cast<void>(later.get()), acre::error);
  later = shared<int>(acre::world(), 3);
  EXPECT_EQ(later.get(), 3);
  EXPECT_THROW(shared<int>(acre::world(), 1, hosted_by{acre::size()}), acre::error);
}

TEST(Shared, CostsAnAtomic) {
  shared<int> number(acre::world(), 3);
  shared<interval> wide(acre::world(), {});
  const auto before = acre::counters();
  number.set(number.get());
  EXPECT_EQ((acre::counters() - before).atomics, 2U);
  static_cast<void>(wide.get());
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.atomics, 2U);
  EXPECT_EQ(spent.reads, 1U);
  acre::barrier();
}

TEST(SharedCounterSmoke, DealsEachIndexOnce) {
  shared_counter next(acre::world(), hosted_by{acre::size() - 1});
  for (const std::size_t count : {0U, 1U, 7U, 300U}) {
    for (const std::size_t size : {1U, 4U, 1000U}) {
      std::vector<int> drawn(count);
      std::uint64_t chunks = 0;
      const auto before = acre::counters();
      for (const auto chunk : next.chunks(count, size)) {
        ++chunks;
        for (const std::size_t i : chunk) ++drawn.at(i);
      }
      EXPECT_EQ((acre::counters() - before).atomics, chunks + 1);
      if (count != 0) acre::world().allreduce(std::span(drawn), acre::op::sum);
      for (const int times : drawn) EXPECT_EQ(times, 1);
      next.reset();
    }
  }
}

TEST(SharedCounter, NumbersWhatTheRanksTake) {
  shared_counter next(acre::world());
  std::uint64_t sum = 0;
  for (int i = 0; i < 10; ++i) sum += next.fetch_add();
  const std::uint64_t all = 10U * acre::size();
  EXPECT_EQ(acre::world().allreduce(sum), all * (all - 1) / 2);
  EXPECT_EQ(next.get(), all);
  EXPECT_THROW(static_cast<void>(next.chunks(10, 0)), acre::error);
  EXPECT_THROW(static_cast<void>(next.chunks(static_cast<std::size_t>(-1))), acre::error);
  acre::barrier();
}

}  // namespace
