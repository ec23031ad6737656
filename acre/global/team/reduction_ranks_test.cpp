// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::team;

struct event {
  double time = 0;
  std::uint32_t place = 0;
  friend bool operator<(const event& a, const event& b) { return a.time < b.time; }
};

struct range {
  std::pair<int, int> ends;
  friend auto acre_fields(range& r) { return std::tie(r.ends); }
};

static_assert(acre::combinable<std::pair<double, int>> && acre::combinable<event>);
static_assert(!acre::combinable<std::string> && !acre::combinable<std::vector<int>>);
static_assert(!acre::combinable<std::pair<std::string, int>> && !acre::combinable<int*>);
static_assert(acre::reducible_in_place<int> && !acre::reducible_in_place<const int>);
static_assert(requires(const team& all, std::span<const int> values) { all.allgather(values); });

double error_of(acre::rank_t rank) { return rank % 3 == 1 ? 9.5 : 1.0 / (rank + 1); }
acre::rank_t who_has_most() { return acre::size() > 1 ? 1 : 0; }

TEST(ReductionSmoke, TellsWhoHasTheMost) {
  const auto mine = std::pair(error_of(acre::rank()), -static_cast<int>(acre::rank()));
  const auto most = acre::world().allreduce(mine, acre::op::max);
  EXPECT_EQ(most, std::pair(error_of(who_has_most()), -static_cast<int>(who_has_most())));
  const auto least =
      acre::world().allreduce(std::pair(error_of(acre::rank()), acre::rank()), acre::op::min);
  const acre::rank_t last = acre::size() - 1;
  EXPECT_EQ(least.second, last % 3 == 1 && last != 0 ? last - 1 : last);
  EXPECT_EQ(acre::world().allreduce_async(mine, acre::op::max).get(), most);
}

TEST(Reduction, TakesStructsThatCompare) {
  const event mine{.time = error_of(acre::rank()), .place = acre::rank()};
  const event first =
      acre::world().allreduce(mine, [](const event& a, const event& b) { return b < a ? b : a; });
  EXPECT_EQ(first.time, acre::world().allreduce(mine, acre::op::min).time);
  EXPECT_EQ(first.place, acre::world().allreduce(mine, acre::op::min).place);
}

TEST(Reduction, TakesTuplesInAllForms) {
  using both = std::tuple<std::uint64_t, bool, std::pair<int, char>>;
  const auto sum = [](const both& a, const both& b) {
    return both(std::get<0>(a) + std::get<0>(b), std::get<1>(a) || std::get<1>(b),
                std::max(std::get<2>(a), std::get<2>(b)));
  };
  const std::uint64_t rank = acre::rank();
  const std::uint64_t size = acre::size();
  const both mine(rank + 1, rank == size - 1, std::pair(static_cast<int>(rank), 'x'));
  const auto sum_of_first = [](std::uint64_t count) { return count * (count + 1) / 2; };
  const both all(sum_of_first(size), true, std::pair(static_cast<int>(size) - 1, 'x'));
  EXPECT_EQ(acre::world().allreduce(mine, sum), all);
  const std::optional<both> reduced = acre::world().reduce(mine, acre::size() - 1, sum);
  EXPECT_EQ(reduced.has_value(), rank == size - 1);
  EXPECT_EQ(reduced.value_or(all), all);
  EXPECT_EQ(acre::world().reduce_async(mine, acre::size() - 1, sum).get(), reduced);
  const both up_to_here(sum_of_first(rank + 1), rank == size - 1,
                        std::pair(static_cast<int>(rank), 'x'));
  EXPECT_EQ(acre::world().inclusive_scan(mine, sum), up_to_here);
  EXPECT_EQ(acre::world().inclusive_scan_async(mine, sum).get(), up_to_here);
  const both initial(100, false, std::pair(-1, 'a'));
  const both before(100 + sum_of_first(rank), false,
                    rank == 0 ? std::pair(-1, 'a') : std::pair(static_cast<int>(rank) - 1, 'x'));
  EXPECT_EQ(acre::world().exclusive_scan(mine, initial, sum), before);
  EXPECT_EQ(acre::world().exclusive_scan_async(mine, initial, sum).get(), before);
}

TEST(Reduction, TakesClassesThatNameTheirFields) {
  const int rank = static_cast<int>(acre::rank());
  const auto both = [](const range& a, const range& b) {
    return range{{std::min(a.ends.first, b.ends.first), std::max(a.ends.second, b.ends.second)}};
  };
  const range all = acre::world().allreduce(range{{-rank, rank * 2}}, both);
  const int last = static_cast<int>(acre::size()) - 1;
  EXPECT_EQ(all.ends, std::pair(-last, last * 2));
}

}  // namespace
