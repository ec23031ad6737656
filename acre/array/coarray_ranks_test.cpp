// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/coarray.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/event.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/view/ranges.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::coarray;
using acre::rank_t;

static_assert(acre::ranges::distributed_range<coarray<int[3][4]>>);
static_assert(!std::copy_constructible<coarray<int>>);
static_assert(std::same_as<decltype(std::declval<coarray<int[3][4]>&>()[0]), int (&)[4]>);
static_assert(std::same_as<decltype(std::declval<coarray<int[]>&>()[0]), int&>);

rank_t next_of(const acre::team& members) { return (members.rank() + 1) % members.size(); }
rank_t last_of(const acre::team& members) {
  return (members.rank() + members.size() - 1) % members.size();
}

TEST(CoarraySmoke, HasAnImageOnEachMember) {
  coarray<int[4][3]> x(acre::world(), -1);
  const rank_t next = next_of(acre::world());
  EXPECT_EQ(x.size(), 12U * acre::size());
  EXPECT_EQ(x.local().size(), 12U);
  EXPECT_EQ(x.extent(), 4U);
  EXPECT_EQ(x[3][2], -1);
  x[1][2] = static_cast<int>(acre::rank());
  acre::barrier();
  EXPECT_EQ(x(next)[1][2], static_cast<int>(next));
  EXPECT_EQ(x(next)[1].size(), 3U);
  EXPECT_EQ(x(next).size(), 4U);
  EXPECT_EQ(x(next).flat()[5], static_cast<int>(next));
  EXPECT_EQ(x(acre::world()[next]).flat().data(), x.pointer(next));
  x(next)[3][0] = 7 + static_cast<int>(acre::rank());
  x.sync_all();
  EXPECT_EQ(x[3][0], 7 + static_cast<int>(last_of(acre::world())));
  const std::vector<int> row{1, 2, 3};
  acre::put(x(next)[2].data(), row);
  x.sync_all();
  EXPECT_EQ(x[2][0] + x[2][1] + x[2][2], 6);
}

TEST(Coarray, IsAVariableOnEachMember) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2), -7);
  struct point {
    double x, y;
  };
  coarray<point> at(half, point{1, 2});
  at->x = static_cast<double>(half.rank());
  half.barrier();
  EXPECT_EQ(point(at(next_of(half))).x, next_of(half));
  EXPECT_EQ(point(at.at(half.size() - 1)).y, 2);
  half.barrier();
  coarray<int> n(half, 1);
  *n += static_cast<int>(half.rank());
  n.co_sum();
  EXPECT_EQ(*n, static_cast<int>(half.size() * (half.size() + 1) / 2));
  *n = static_cast<int>(half.rank());
  n.co_max();
  EXPECT_EQ(*n, static_cast<int>(half.size()) - 1);
  n.co_min();
  n.co_reduce([](int a, int b) { return a * b; });
  *n = static_cast<int>(half.rank());
  n.co_broadcast(half.size() - 1);
  EXPECT_EQ(*n, static_cast<int>(half.size()) - 1);
}

TEST(Coarray, MayBeAsLongAsIsKnownAtRunTime) {
  for (const std::size_t extent : {0U, 1U, 5U}) {
    coarray<std::uint8_t[][2]> x(acre::world(), extent, 3);
    EXPECT_EQ(x.extent(), extent);
    EXPECT_EQ(x.size(), 2 * extent * acre::size());
    EXPECT_EQ(x(next_of(acre::world())).size(), extent);
    if (extent != 0) {
      x(next_of(acre::world()))[extent - 1][1] = 9;
      x.sync_all();
      EXPECT_EQ(x[extent - 1][1], 9);
      EXPECT_EQ(x[extent - 1][0], 3);
    }
  }
  coarray<long[]> line(acre::world(), 4);
  line(next_of(acre::world()))[3] = 5;
  line.sync_all();
  EXPECT_EQ(line[3], 5);
}

TEST(Coarray, IsARangeOfAllImages) {
  coarray<long[5]> x(acre::world());
  std::iota(x.local().begin(), x.local().end(), 5L * acre::rank());
  x.sync_all();
  EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0L),
            (5L * acre::size()) * (5L * acre::size() - 1) / 2);
  std::size_t own = 0;
  acre::ranges::each_own_run(x, [&](std::size_t first, std::span<long> run) {
    EXPECT_EQ(first, 5U * acre::rank());
    own += run.size();
  });
  EXPECT_EQ(own, 5U);
  x.sync_all();
}

TEST(Coarray, IsPassedAlongByEventsAndPairs) {
  coarray<std::uint64_t[8]> x(acre::world());
  acre::event arrived(acre::world());
  const rank_t next = next_of(acre::world());
  const rank_t last = last_of(acre::world());
  for (std::uint64_t round = 1; round <= 50; ++round) {
    for (std::size_t i = 0; i < 8; ++i) x(next)[i] = round;
    arrived.post(next);
    arrived.wait();
    for (const std::uint64_t each : x.local()) ASSERT_EQ(each, round);
    if (next == last) {
      x.sync_images({next});
    } else {
      x.sync_images({last, next});
    }
  }
}

TEST(Coarray, MovesAndIsMadeLater) {
  coarray<int[2]> later;
  EXPECT_FALSE(later);
  EXPECT_EQ(later.size(), 0U);
  EXPECT_THROW(static_cast<void>(later.members()), acre::error);
  coarray<int[2]> made(acre::world(), 4);
  const auto where = made.pointer(0);
  later = std::move(made);
  EXPECT_TRUE(later);
  EXPECT_EQ(later.pointer(0), where);
  EXPECT_EQ(later[1], 4);
  later = coarray<int[2]>(acre::world(), 5);
  later.sync_images({acre::rank()});
  EXPECT_EQ(later(next_of(acre::world()))[0], 5);
  acre::barrier();
}

TEST(Coarray, SaysWhatIsWrong) {
  coarray<int[3]> x(acre::world());
  EXPECT_THROW(static_cast<void>(x.at(acre::size())), acre::error);
  EXPECT_THROW(x.sync_images({acre::size()}), acre::error);
  if constexpr (acre::base::has_checks) {
    EXPECT_THROW(static_cast<void>(x(acre::size())), acre::error);
    EXPECT_THROW(static_cast<void>(x[3]), acre::error);
  }
  EXPECT_THROW(
      coarray<double[][1000]>(acre::world(), std::numeric_limits<std::size_t>::max() / 999),
      acre::error);
  const acre::team none;
  EXPECT_THROW(coarray<int>{none}, acre::error);
  if (acre::size() == 1) return;
  EXPECT_THROW(coarray<int[]>(acre::world(), 1 + acre::rank()), acre::error);
}

TEST(Coarray, CostsOneReadOrWriteForAnElementOfAnother) {
  coarray<std::uint64_t[3][4]> x(acre::world());
  const rank_t next = next_of(acre::world());
  const std::uint64_t cost = next == acre::rank() ? 0 : 1;
  const auto before = acre::counters();
  x(next)[2][3] = 5;
  const std::uint64_t read = x(next)[2][3];
  x[0][0] = 1;
  const auto spent = acre::counters() - before;
  EXPECT_EQ(read, 5U);
  EXPECT_EQ(spent.writes, cost);
  EXPECT_EQ(spent.reads, cost);
  EXPECT_EQ(spent.atomics + spent.barriers, 0U);
  acre::barrier();
}

}  // namespace
