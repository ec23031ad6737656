// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/layout/segments.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

struct point {
  double x, y, z;
  friend bool operator==(const point&, const point&) = default;
};

static_assert(std::random_access_iterator<acre::array<int>::iterator>);
static_assert(std::random_access_iterator<acre::array<point>::const_iterator>);
static_assert(std::convertible_to<acre::array<int>::iterator, acre::array<int>::const_iterator>);
static_assert(std::ranges::random_access_range<acre::array<int>>);
static_assert(std::sortable<acre::array<int>::iterator>);
static_assert(std::permutable<acre::array<point>::iterator>);
static_assert(!std::permutable<acre::array<int>::const_iterator>);
static_assert(!std::copy_constructible<acre::array<int>>);
static_assert(std::same_as<decltype(std::declval<const acre::array<int>&>().pointer(0)),
                           acre::global_ptr<const int>>);
static_assert(!std::convertible_to<std::size_t, acre::array<int>>);

TEST(ArraySmoke, EveryRankReadsWhatEveryOtherWrote) {
  acre::array<int> numbers(acre::world(), 1000, -1);
  for (std::size_t i = acre::rank(); i < numbers.size(); i += acre::size()) {
    numbers[i] = static_cast<int>(i * i);
  }
  acre::barrier();
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<int>(i * i));
}

TEST(Array, StartsWithItsInitialValueOnAllRanks) {
  const acre::array<point> points(acre::world(), 37, point{1, 2, 3});
  EXPECT_TRUE(
      std::ranges::all_of(points, [](const point& each) { return each == point{1, 2, 3}; }));
  const acre::array<int> zeros(11);
  EXPECT_TRUE(std::ranges::all_of(zeros, [](int each) { return each == 0; }));
}

TEST(Array, DividesIntoBlocksThatCoverItOnce) {
  for (const std::size_t size : {0U, 1U, 2U, 3U, 5U, 7U, 8U, 20U, 100U}) {
    acre::array<int> numbers(acre::world(), size, 0);
    EXPECT_EQ(numbers.size(), size);
    EXPECT_EQ(numbers.empty(), size == 0);
    const std::size_t first = numbers.local_offset();
    for (std::size_t i = 0; i < numbers.local().size(); ++i) {
      EXPECT_TRUE(numbers.owner(first + i).is_this_rank());
      EXPECT_EQ(numbers.pointer(first + i).local(), &numbers.local()[i]);
      numbers.local()[i] += static_cast<int>(first + i) + 1;
    }
    EXPECT_EQ(acre::world().allreduce(numbers.local().size()), size);
    acre::barrier();
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(numbers[i], static_cast<int>(i) + 1);
  }
}

TEST(Array, SaysInWhichSegmentsARangeLies) {
  const acre::array<int> numbers(acre::world(), 100, 0);
  std::size_t index = 5;
  for (const auto& [member, offset, count] : acre::layout::segments(numbers.pattern(), 5, 95)) {
    EXPECT_EQ(numbers.owner(index).number(), member);
    EXPECT_EQ(numbers.pointer(index).rank(), member);
    EXPECT_EQ(numbers.pointer(index + count - 1) - numbers.pointer(index),
              static_cast<std::ptrdiff_t>(count) - 1);
    if (member == acre::rank()) {
      EXPECT_EQ(numbers.pointer(index).local(), &numbers.local()[offset]);
    }
    index += count;
  }
  EXPECT_EQ(index, 95U);
  acre::barrier();
}

TEST(Array, IsTraversedByAlgorithmsFromAnyRank) {
  acre::array<long> numbers(acre::world(), 257, 0);
  const auto local = numbers.local();
  std::iota(local.begin(), local.end(), static_cast<long>(numbers.local_offset()));
  acre::barrier();
  long sum = 0;
  for (const long each : numbers) sum += each;
  EXPECT_EQ(sum, 256 * 257 / 2);
  const auto found = std::ranges::lower_bound(std::as_const(numbers), 200L);
  EXPECT_EQ(found.index(), 200U);
  EXPECT_EQ(found - numbers.begin(), 200);
  EXPECT_EQ(numbers.begin()[13], 13);
  EXPECT_EQ(*std::ranges::max_element(numbers), 256);
  EXPECT_EQ(*(numbers.end() - 1), 256);
  EXPECT_EQ(std::ranges::count_if(numbers, [](long each) { return each % 2 == 0; }), 129);
}

template <class Algorithm>
void expect_same_change(acre::array<int>& numbers, std::vector<int>& model, const char* name,
                        Algorithm&& algorithm) {
  algorithm(numbers);
  algorithm(model);
  EXPECT_TRUE(std::ranges::equal(std::as_const(numbers), model)) << name;
}

struct counted_pattern : acre::layout::blocked {
  using blocked::blocked;
  [[nodiscard]] acre::layout::place place_of(std::size_t index) const noexcept {
    ++looks;
    return blocked::place_of(index);
  }
  static inline std::size_t looks = 0;
};
struct counted_kind : acre::arrays::blocked_kind {
  using pattern = counted_pattern;
};
struct counted_array : acre::arrays::array_elements<int, counted_kind> {
  explicit counted_array(std::size_t size)
      : array_elements(acre::world(), counted_pattern(size, acre::size()), 0,
                       acre::site::current()) {}
};

TEST(Array, LooksARunUpOnceInBothDirections) {
  counted_array numbers(1000);
  const auto begin = numbers.begin();
  auto at = begin;
  counted_pattern::looks = 0;
  while (at != numbers.end()) ++at;
  EXPECT_LE(counted_pattern::looks, std::size_t{acre::size()});
  counted_pattern::looks = 0;
  while (at != begin) --at;
  EXPECT_LE(counted_pattern::looks, std::size_t{acre::size()});
  acre::barrier();
}

TEST(Array, IsChangedByAlgorithmsFromAnyRank) {
  acre::array<int> numbers(acre::world(), 23, 0);
  std::vector<int> model(numbers.size());
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
    if (turn == acre::rank()) {
      const auto check = [&](const char* name, auto&& algorithm) {
        expect_same_change(numbers, model, name, algorithm);
      };
      const auto is_even = [](int each) { return each % 2 == 0; };
      std::ranges::copy(numbers, model.begin());
      check("generate", [](auto& each) {
        std::ranges::generate(each, [n = 7]() mutable { return n = n * 31 % 101; });
      });
      check("sort", [](auto& each) { std::ranges::sort(each); });
      check("reverse", [](auto& each) { std::ranges::reverse(each); });
      check("rotate by one",
            [](auto& each) { std::rotate(each.begin(), each.begin() + 1, each.end()); });
      check("rotate", [](auto& each) { std::rotate(each.begin(), each.begin() + 9, each.end()); });
      check("shuffle", [](auto& each) { std::ranges::shuffle(each, std::minstd_rand(5)); });
#ifndef __clang__  // Clang warns here with the headers of GCC 12
      check("stable_sort", [](auto& each) { std::ranges::stable_sort(each, std::greater<>()); });
      check("stable_partition",
            [&](auto& each) { std::stable_partition(each.begin(), each.end(), is_even); });
#endif
      check("partition", [&](auto& each) { std::ranges::partition(each, is_even); });
      check("nth_element", [](auto& each) {
        std::ranges::nth_element(each, each.begin() + 11);
        std::ranges::sort(each.begin(),
                          each.begin() + 11);  // nth_element leaves both parts unordered
        std::ranges::sort(each.begin() + 11, each.end());
      });
      check("unique", [](auto& each) {
        std::ranges::fill(each.begin() + 3, each.begin() + 8, 3);
        std::ranges::unique(each);
      });
      check("partial_sort", [](auto& each) {
        std::ranges::partial_sort(each, each.begin() + 5);
        std::ranges::sort(each);
      });
      check("heap", [](auto& each) {
        std::ranges::make_heap(each);
        std::ranges::sort_heap(each);
      });
      check("transform", [](auto& each) {
        std::ranges::transform(each, each.begin(), [](int x) { return 1000 - x; });
      });
      check("swap_ranges", [](auto& each) {
        std::swap_ranges(each.begin(), each.begin() + 10, each.begin() + 12);
      });
      check("classic sort", [](auto& each) { std::sort(each.begin(), each.end()); });
      check("max_element",
            [](auto& each) { EXPECT_EQ(*std::ranges::max_element(each), each[22]); });
      check("remove", [&](auto& each) { std::ranges::remove_if(each, is_even); });
    }
    acre::barrier();
  }
}

TEST(Array, AssignsAnElementToAnother) {
  acre::array<point> points(acre::world(), 10, point{});
  if (acre::rank() == acre::size() - 1) {
    points[9] = point{1, 2, 3};
    points[0] = points[9];
    points[4] = points[0];
    points[4] = points[4];
    swap(points[4], points[1]);
    std::ranges::swap(points[1], points[2]);
    for (auto&& each : points) each = point(each);
    points[3] = std::as_const(points)[2];
  }
  acre::barrier();
  for (const std::size_t i : {0U, 2U, 3U, 9U}) EXPECT_EQ(points[i], (point{1, 2, 3})) << i;
  for (const std::size_t i : {1U, 4U, 5U}) EXPECT_EQ(points[i], point{}) << i;
  acre::barrier();
}

struct wide {
  std::array<std::uint64_t, 300> words;
  friend bool operator==(const wide&, const wide&) = default;
};

TEST(Array, GathersAndScattersByIndices) {
  acre::array<point> points(acre::world(), 1000, point{});
  std::vector<std::size_t> mine;
  for (std::size_t i = acre::rank(); i < points.size(); i += acre::size()) mine.push_back(i);
  std::shuffle(mine.begin(), mine.end(), std::minstd_rand(acre::rank() + 1));
  std::vector<point> values;
  for (const std::size_t i : mine) values.push_back({static_cast<double>(i), 1, 2});
  points.scatter(mine, std::span<const point>(values));
  acre::barrier();
  const std::vector<int> some{999, 0, 500, 501, 0, 7};
  const std::vector<point> got = points.gather(some);
  ASSERT_EQ(got.size(), some.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(got[i], (point{static_cast<double>(some[i]), 1, 2}));
  }
  const std::vector<point> all = points.gather(std::views::iota(0, 1000));
  EXPECT_TRUE(std::ranges::equal(all, std::as_const(points)));
  EXPECT_TRUE(points.gather(std::vector<int>()).empty());
  const std::array<int, 2> two{3, 999};
  std::array<point, 2> both{};
  points.gather(std::span(two), std::span(both));
  EXPECT_EQ(both[1], (point{999, 1, 2}));
  EXPECT_THROW(points.scatter(some, std::span<const point>(values).first(1)), acre::error);
  acre::barrier();
}

TEST(Array, GathersAndScattersBool) {
  acre::array<bool> flags(acre::world(), 2 * acre::size(), false);
  const std::vector<std::size_t> mine{2 * acre::rank(), 2 * acre::rank() + 1};
  bool values[] = {true, false};
  flags.scatter(mine, std::span<const bool>(values));
  acre::barrier();
  values[0] = false;
  flags.gather(mine, std::span<bool>(values));
  EXPECT_TRUE(values[0]);
  EXPECT_FALSE(values[1]);
  acre::barrier();
}

TEST(Array, GathersNothingWhereAnIndexIsNone) {
  acre::array<int> a(acre::world(), 50, 3);
  std::vector<int> values(3, 7);
  for (const std::vector<int>& indices : {std::vector<int>{0, 1, 50}, {0, -1, 2}}) {
    EXPECT_THROW(a.gather(indices, values), acre::error);
    EXPECT_THROW(static_cast<void>(a.gather(indices)), acre::error);
    EXPECT_EQ(values, std::vector<int>(3, 7));
    EXPECT_THROW(a.scatter(indices, values), acre::error);
  }
  acre::barrier();
  for (const int each : a) EXPECT_EQ(each, 3);
  acre::array<int> none;
  EXPECT_THROW(static_cast<void>(none.gather(std::vector<int>{0})), acre::error);
  acre::barrier();
}

TEST(Array, GathersLargeElements) {
  acre::array<wide> large(acre::world(), 20, wide{});
  for (wide& each : large.local()) each.words.fill(acre::rank() + 1);
  acre::barrier();
  const std::vector<std::size_t> ends{19, 0, 10};
  std::vector<wide> got = large.gather(ends);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(got[i].words[299], large.owner(ends[i]).number() + 1);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    got[0].words.fill(77);
    large.scatter(ends, std::span<const wide>(got));
    EXPECT_EQ(wide(large[19]), got[0]);
  }
  acre::barrier();
}

TEST(ArraySmoke, IsMadeOfWhatAFunctionSays) {
  for (const std::size_t size : {0U, 1U, 20U}) {
    acre::array<double> later;
    EXPECT_TRUE(later.empty());
    later = acre::array<double>(acre::world(), size, [](std::size_t i) { return 0.5 * double(i); });
    EXPECT_EQ(later.size(), size);
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(later[i], 0.5 * double(i));
    acre::barrier();
  }
}

TEST(Array, FailsOnAllRanksWhenItsFunctionThrowsOnOne) {
  const auto before = acre::runtime::segment_free().private_part;
  const auto last = [](std::size_t i) -> int {
    if (i == 20) throw std::runtime_error("the last");
    return 0;
  };
  std::string told;
  try {
    const acre::array<int> numbers(acre::world(), 21, last);
  } catch (const acre::error& failed) {
    told = failed.problem().substr(0, failed.problem().find(" at "));
  } catch (const std::runtime_error& failed) {
    told = failed.what();
  }
  const bool has_last = acre::layout::blocked(21, acre::size()).place_of(20).member == acre::rank();
  EXPECT_EQ(told, has_last ? "the last"
                           : "the function that makes its elements failed on another member");
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
  acre::barrier();
}

TEST(Array, AdoptsMemoryThatThereIs) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  const std::size_t count = half.rank() + 1 == half.size() ? 4 : 5;
  const auto memory = acre::allocate<int>(count + acre::rank());
  const std::span<int> mine(memory.local() + acre::rank(), count);
  std::ranges::fill(mine, static_cast<int>(acre::rank()));
  {
    auto numbers = acre::array<int>::adopt(half, mine);
    EXPECT_EQ(numbers.size(), 5U * half.size() - 1);
    EXPECT_EQ(numbers.local().data(), mine.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_EQ(numbers[i], static_cast<int>(half.world_rank(static_cast<acre::rank_t>(i / 5))));
    }
    half.barrier();
    numbers[0] = 77;
    acre::array<int> moved(std::move(numbers));
    half.barrier();
    EXPECT_EQ(moved[0], 77);
  }
  EXPECT_EQ(mine.front(), half.rank() == 0 ? 77 : static_cast<int>(acre::rank()));
  acre::deallocate(memory);
}

TEST(Array, AdoptsOnlyWhatOthersReachAndWhatItHolds) {
  std::vector<int> heap(4);
  const auto memory = acre::allocate<int>(4);
  const bool is_last = acre::rank() + 1 == acre::size();
  try {
    const auto numbers = acre::array<int>::adopt(
        acre::world(), is_last ? std::span(heap) : std::span(memory.local(), 4));
    FAIL() << "memory outside of the segment";
  } catch (const acre::error& failed) {
    EXPECT_EQ(failed.call(), "array::adopt");
    EXPECT_NE(failed.problem().find("is outside of its segment"), std::string::npos);
    EXPECT_NE(failed.problem().find("rank " + std::to_string(acre::size() - 1)), std::string::npos);
  }
  if (acre::size() > 1) {
    const std::span mine(memory.local(), acre::rank() == 0 ? 1U : 4U);
    EXPECT_THROW(static_cast<void>(acre::array<int>::adopt(acre::world(), mine)), acre::error);
  }
  acre::barrier();
  acre::deallocate(memory);
}

TEST(Array, TakesAtomicsOnItsElements) {
  acre::array<std::uint64_t> counts(acre::world(), 5, 0);
  for (int round = 0; round < 200; ++round) {
    acre::fetch_add(counts.pointer(static_cast<std::size_t>(round) % 5), 1);
  }
  acre::barrier();
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(counts[i], 40U * acre::size());
}

TEST(Array, IsFilledAgainByAll) {
  acre::array<int> numbers(acre::world(), 50, 1);
  numbers.fill(7);
  EXPECT_TRUE(std::ranges::all_of(std::as_const(numbers), [](int each) { return each == 7; }));
  acre::barrier();
}

TEST(Array, ReportsAnElementThatIsNotThere) {
  acre::array<int> numbers(acre::world(), 10, 0);
  EXPECT_EQ(numbers.at(9), 0);
  try {
    static_cast<void>(numbers.at(10));
    FAIL() << "at(10) of 10 elements";
  } catch (const acre::error& failed) {
    EXPECT_EQ(failed.call(), "array::at");
    EXPECT_NE(failed.problem().find("10"), std::string::npos);
  }
  const acre::array<int> empty(acre::world(), 0, 0);
  EXPECT_THROW(static_cast<void>(empty.at(0)), acre::error);
}

TEST(Array, MovesWithItsElementsAndIterators) {
  acre::array<int> first(acre::world(), 20, 3);
  const auto begin = first.begin();
  acre::array<int> second(std::move(first));
  EXPECT_EQ(second.size(), 20U);
  EXPECT_EQ(*begin, 3);
  EXPECT_EQ(first.size(), 0U);  // NOLINT: a moved-from array is an empty one
  EXPECT_THROW(first.fill(1), acre::error);
  acre::array<int> third(acre::world(), 4, 9);
  third = std::move(second);
  EXPECT_EQ(third.size(), 20U);
  EXPECT_EQ(third[19], 3);
}

TEST(Array, IsDestroyedInAnyOrder) {
  auto a = std::make_unique<acre::array<int>>(acre::world(), 100, 1);
  auto b = std::make_unique<acre::array<int>>(acre::world(), 200, 2);
  auto c = std::make_unique<acre::array<int>>(acre::world(), 300, 3);
  b.reset();
  acre::array<int> d(acre::world(), 250, 4);
  a.reset();
  EXPECT_EQ((*c)[299], 3);
  EXPECT_EQ(d[249], 4);
  c.reset();
  EXPECT_EQ(d[0], 4);
}

TEST(Array, LivesOnATeamSmallerThanTheWorld) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  const auto other = acre::allocate<std::byte>(64 + 64 * acre::rank());
  acre::array<int> numbers(half, 40, static_cast<int>(acre::rank() % 2));
  EXPECT_EQ(half.allreduce(numbers.local().size()), 40U);
  for (const int each : numbers) EXPECT_EQ(each, static_cast<int>(acre::rank() % 2));
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(numbers.owner(i).world_rank(), numbers.pointer(i).rank());
  }
  half.barrier();
  acre::deallocate(other);
}

TEST(Array, FailsOnAllRanksWhenOneHasNoRoom) {
  EXPECT_THROW(acre::array<double>(acre::world(), std::size_t{1} << 60), acre::error);
  EXPECT_THROW(acre::array<double>(acre::world(), std::numeric_limits<std::size_t>::max()),
               acre::error);
  const acre::array<int> numbers(acre::world(), 10, 1);
  EXPECT_EQ(numbers[9], 1);
}

TEST(Array, FailsOnAllRanksWhenTheirSizesDiffer) {
  if (acre::size() < 2) return;
  const std::size_t mine = acre::rank() + 1 == acre::size() ? 11 : 10;
  try {
    const acre::array<int> numbers(mine);
    FAIL() << "10 and 11 elements";
  } catch (const acre::error& failed) {
    const std::string last = std::to_string(acre::size() - 1);
    EXPECT_EQ(failed.problem(),
              "the sizes differ: 10 elements on rank 0, 11 elements on rank " + last);
  }
  EXPECT_THROW(acre::array<int>(acre::rank() == 0 ? SIZE_MAX : 10), acre::error);
  const acre::array<int> numbers(acre::world(), 10, 1);
  EXPECT_EQ(numbers[9], 1);
  acre::barrier();
}

#if ACRE_CHECKS
template <class Call>
std::string complaint_of(Call&& call) {
  try {
    call();
  } catch (const acre::error& failed) {
    return failed.call() + ": " + failed.problem() + "; " + failed.advice();
  }
  return "no complaint";
}

TEST(ArrayChecks, NameTheIndexAndTheSize) {
  acre::array<int> numbers(acre::world(), 10, 0);
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(complaint_of([&] { numbers[1000] = 1; }),
       "array::operator[]: index 1000 is out of range (size 10)");
  says(complaint_of([&] { numbers[static_cast<std::size_t>(-1)] = 1; }), "less than 0");
  says(complaint_of([&] { static_cast<void>(int(std::as_const(numbers)[10])); }),
       "index 10 is out of range (size 10)");
  says(complaint_of([&] { acre::put(numbers.pointer(10), 1); }),
       "array::pointer: index 10 is out of range (size 10) at ");
  says(complaint_of([&] { acre::put(numbers.pointer(10), 1); }), "array_ranks_test.cpp:");
  says(complaint_of([&] { static_cast<void>(numbers.owner(10)); }),
       "array::owner: index 10 is out of range");
  says(complaint_of([&] { static_cast<void>(int(*numbers.end())); }), "array::iterator: index");
  const acre::array<int> none;
  says(complaint_of([&] { static_cast<void>(int(none[0])); }), "the array does not exist");
  acre::barrier();
}
#endif

TEST(Array, DoesNotWaitForOthersWhenAnExceptionPasses) {
  // Others may never reach the destructor's barrier.
  const acre::team self = acre::world().split(static_cast<int>(acre::rank()));
  const auto barriers = acre::counters().barriers;
  try {
    const acre::array<int> numbers(self, 10, 1);
    throw std::runtime_error("met by one rank");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(acre::counters().barriers - barriers, 1U);
  }
}

TEST(Array, CostsOneReadOrWriteForAnElementOfAnother) {
  acre::array<std::uint64_t> numbers(acre::world(), 64, 0);
  for (const std::size_t index : {std::size_t{0}, std::size_t{63}}) {
    const std::uint64_t cost = numbers.owner(index).is_this_rank() ? 0 : 1;
    const auto before = acre::counters();
    numbers[index] = 5;
    const std::uint64_t read = numbers[index];
    const std::uint64_t walked = *(numbers.begin() + static_cast<std::ptrdiff_t>(index));
    const auto spent = acre::counters() - before;
    EXPECT_EQ(read, 5U);
    EXPECT_EQ(walked, 5U);
    EXPECT_EQ(spent.writes, cost);
    EXPECT_EQ(spent.reads, 2 * cost);
    EXPECT_EQ(spent.atomics + spent.barriers, 0U);
  }
  acre::barrier();
}

}  // namespace
