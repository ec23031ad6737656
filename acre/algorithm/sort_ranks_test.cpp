// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using acre::testing::copy_of;
using acre::testing::with_ranges_of_all_kinds;

/// Hard inputs: element i of n.
constexpr auto scattered = [](std::size_t i, std::size_t) {
  return static_cast<int>(i * 37 % 101);
};
constexpr auto equal = [](std::size_t, std::size_t) { return 5; };
constexpr auto two_values = [](std::size_t i, std::size_t) {
  return static_cast<int>(i * 7 % 3 % 2);
};
constexpr auto ascending = [](std::size_t i, std::size_t) { return static_cast<int>(i); };
constexpr auto descending = [](std::size_t i, std::size_t n) { return static_cast<int>(n - i); };
constexpr auto one_below = [](std::size_t i, std::size_t n) { return i + 1 == n ? -1 : 1; };
using maker = int (*)(std::size_t, std::size_t);
constexpr maker hard_ones[] = {scattered, equal, two_values, ascending, descending, one_below};

std::vector<int> set_all(auto& range, maker made) {
  const std::size_t size = std::ranges::size(range);
  std::vector<int> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = made(i, size);
  const acre::team& members = acre::ranges::members(range);
  if (members.rank() == 0) acre::copy(values, range);
  members.barrier();
  return values;
}

TEST(SortSmoke, MakesOfEveryKindOfRangeWhatStdDoes) {
  with_ranges_of_all_kinds([](auto& range) {
    for (const maker made : hard_ones) {
      std::vector<int> values = set_all(range, made);
      acre::sort(range);
      std::ranges::sort(values);
      EXPECT_EQ(copy_of(range), values);
    }
  });
}

using order = std::function<bool(int, int)>;

TEST(Sort, LeavesWhatIsBesideAView) {
  acre::array<int> numbers(acre::world(), 40, 0);
  std::vector<int> values = set_all(numbers, descending);
  const order greater = std::greater<>();
  acre::sort(numbers | std::views::drop(3) | std::views::take(30), greater, std::negate<>());
  std::ranges::sort(values.begin() + 3, values.begin() + 33);
  EXPECT_EQ(copy_of(numbers), values);
}

struct record {
  double key;
  int number;

  explicit record(double its_key, int its_number) : key(its_key), number(its_number) {}
  friend bool operator==(const record&, const record&) = default;
};

void expect_stable(auto& records) {
  const auto size = static_cast<std::size_t>(records.size());
  std::mt19937 random(4711);
  std::vector<record> values;
  for (std::size_t i = 0; i < size; ++i) {
    values.emplace_back(static_cast<double>(random() % 7) / 2, static_cast<int>(i));
  }
  if (acre::rank() == 0) acre::copy(values, records);
  acre::barrier();
  acre::stable_sort(records, std::greater<>(), &record::key);
  std::ranges::sort(values, [](const record& a, const record& b) {
    return a.key > b.key || (a.key == b.key && a.number < b.number);
  });
  EXPECT_EQ(copy_of(records, record(0, 0)), values);
}

TEST(Sort, KeepsTheOrderOfEqualElementsWhenStable) {
  const record none(0, 0);
  for (const std::size_t size : {0U, 2U, 211U}) {
    acre::array<record> in_blocks(acre::world(), size, none);
    expect_stable(in_blocks);
    auto in_turn = acre::make_matrix<record>(
        acre::world(), acre::make_distribution({size}, acre::size(), acre::dist::tile(3)), none);
    expect_stable(in_turn);
  }
}

TEST(Sort, SplitsManyElementsExactly) {
  constexpr std::size_t size = 20'011;
  acre::array<double> numbers(acre::world(), size, 0);
  std::mt19937_64 random(1);
  for (const std::uint64_t kinds : {std::uint64_t{3}, std::uint64_t{1000}, ~std::uint64_t{0}}) {
    std::vector<double> values(size);
    for (double& each : values) each = -static_cast<double>(random() % kinds);
    const std::size_t first = numbers.local_offset() % size;
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), numbers.local().size(),
                numbers.local().begin());
    acre::sort(numbers);
    std::ranges::sort(values);
    EXPECT_TRUE(std::equal(numbers.local().begin(), numbers.local().end(),
                           values.begin() + static_cast<std::ptrdiff_t>(first)));
    acre::barrier();
  }
}

TEST(Sort, ReadsNothingWhereAllIsInPlace) {
  acre::array<int> numbers(acre::world(), 1000, 0);
  acre::barrier();
  const auto before = acre::counters();
  acre::sort(numbers);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads + spent.writes, 0U);
}

TEST(Sort, ReadsOnceFromEachOtherMember) {
  acre::array<int> numbers(acre::world(), 100 * acre::size(), 0);
  std::size_t i = 0;
  for (int& each : numbers.local()) each = static_cast<int>(i++ * 37 % 100);
  acre::barrier();
  const auto before = acre::counters();
  acre::sort(numbers);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.reads, acre::size() - 1);
  EXPECT_EQ(spent.writes, 0U);
}

TEST(Sort, OfAnOrderThatThrowsOnOneMemberIsAnErrorOnAll) {
  acre::array<int> numbers(acre::world(), 8 * acre::size(), 1);
  const bool throws = acre::rank() == acre::size() - 1;
  const order less = [&](int a, int b) {
    if (throws) throw std::runtime_error("on one");
    return a < b;
  };
  try {
    acre::sort(numbers, less, std::negate<>());
    FAIL();
  } catch (const acre::error&) {
    EXPECT_FALSE(throws);
  } catch (const std::runtime_error&) {
    EXPECT_TRUE(throws);
  }
  acre::barrier();
}

TEST(Sort, OfElementsWithoutOrderEnds) {
  acre::array<double> numbers(acre::world(), acre::size(),
                              std::numeric_limits<double>::quiet_NaN());
  try {
    acre::sort(numbers);
  } catch (const acre::error&) {
  }
  acre::barrier();
}

}  // namespace
