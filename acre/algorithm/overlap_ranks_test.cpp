// SPDX-License-Identifier: BSD-3-Clause
// Calls with overlapping source and destination, and copies that convert.
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_async.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/array/transposed.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/view/shifted.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::testing::copy_of;
using acre::testing::only_segments;

int value_at(std::size_t i) { return static_cast<int>(i * i % 101 + i); }

std::vector<int> filled(auto& range) {
  acre::generate_with_index(range, value_at);
  acre::ranges::members(range).barrier();
  return copy_of(range);
}
std::vector<int> part(const std::vector<int>& all, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}
std::vector<int> with(std::vector<int> all, std::size_t first, const std::vector<int>& values) {
  std::ranges::copy(values, all.begin() + static_cast<std::ptrdiff_t>(first));
  return all;
}

template <class F>
void with_kinds(F&& f) {
  acre::testing::with_ranges({16}, [&](auto& all) { all.each_of_few(f); });
}

/// Calls f(from, to, first, written) for pairs of parts that begin at `first` and `written`.
template <class R, class F>
void with_overlapping_parts(R& range, const F& f) {
  const std::size_t size = std::ranges::size(range);
  for (const std::size_t by : {std::size_t{1}, size / 3}) {
    if (by == 0 || by >= size) continue;
    const auto skip = static_cast<std::ptrdiff_t>(by);
    const auto rest = static_cast<std::ptrdiff_t>(size - by);
    const auto begin = [&] {
      if constexpr (acre::ranges::segmented_iterator<std::ranges::iterator_t<R>>) {
        return std::ranges::begin(range);
      } else {
        return acre::view::segmented_begin(range);
      }
    }();
    const auto low = std::ranges::subrange(begin, begin + rest);
    const auto high = std::ranges::subrange(begin + skip, begin + skip + rest);
    f(low, high, std::size_t{0}, by);
    f(high, low, by, std::size_t{0});
  }
}

TEST(Overlap, CopiesOfPartsOfARangeAreAsMemmove) {
  with_kinds([](auto& range) {
    with_overlapping_parts(range, [&](auto from, auto to, std::size_t first, std::size_t written) {
      const std::vector<int> before = filled(range);
      const std::vector<int> moved = with(before, written, part(before, first, to.size()));
      acre::copy(from, to);
      EXPECT_EQ(copy_of(range), moved);
      filled(range);
      only_segments by_segments = only_segments::of(to);
      acre::copy(from, by_segments);
      EXPECT_EQ(copy_of(range), moved);
    });
  });
}

TEST(Overlap, TransformsReadEachElementAsItWas) {
  with_kinds([](auto& range) {
    const auto twice = [](int x) { return 2 * x; };
    with_overlapping_parts(range, [&](auto from, auto to, std::size_t first, std::size_t written) {
      const std::vector<int> before = filled(range);
      std::vector<int> values = part(before, first, to.size());
      std::ranges::transform(values, values.begin(), twice);
      acre::transform(from, to, twice);
      EXPECT_EQ(copy_of(range), with(before, written, values));
      filled(range);
      acre::transform(acre::par.on(3), from, to, twice);
      EXPECT_EQ(copy_of(range), with(before, written, values));
    });
    std::vector<int> before = filled(range);
    acre::transform(range, range, twice);
    std::ranges::transform(before, before.begin(), twice);
    EXPECT_EQ(copy_of(range), before);
  });
}

TEST(Overlap, ViewsTellWhatTheyAreMadeOf) {
  constexpr std::size_t size = 40;
  acre::array<int> a(acre::world(), size);
  const auto cyclic_pattern = acre::make_distribution({size}, acre::size(), acre::dist::cyclic);
  auto c = acre::make_matrix<int>(acre::world(), cyclic_pattern);
  const auto with_views = [&](auto& range) {
    namespace views = acre::views;
    const std::vector<int> before = filled(range);
    const auto expect = [&](auto&& what) {
      std::vector<int> after = before;
      what(after);
      EXPECT_EQ(copy_of(range), after);
      filled(range);
    };
    acre::transform(range, range | views::shift(1), range, std::minus<>());
    expect([&](auto& after) {
      for (std::size_t i = 0; i < size; ++i) after[i] = before[i] - before[(i + 1) % size];
    });
    acre::copy(range | views::shift(3), range);
    expect([&](auto& after) {
      for (std::size_t i = 0; i < size; ++i) after[i] = before[(i + 3) % size];
    });
    acre::copy(range | std::views::take(size / 2), range | views::strided(2));
    expect([&](auto& after) {
      for (std::size_t i = 0; i < size / 2; ++i) after[2 * i] = before[i];
    });
    acre::copy(range | views::strided(2), range | std::views::drop(1) | views::strided(2));
    expect([&](auto& after) {
      for (std::size_t i = 0; i < size; i += 2) after[i + 1] = before[i];
    });
    acre::copy(range | std::views::drop(1) | views::transform(std::negate<>()),
               range | std::views::take(size - 1));
    expect([&](auto& after) {
      for (std::size_t i = 0; i + 1 < size; ++i) after[i] = -before[i + 1];
    });
    const auto once_later = std::views::drop(1);
    acre::transform(
        views::zip(range | std::views::take(size - 2), range | std::views::take(size - 2)),
        range | once_later | std::views::take(size - 2),
        [](const auto& pair) { return std::get<0>(pair) + std::get<1>(pair); });
    expect([&](auto& after) {
      for (std::size_t i = 0; i + 2 < size; ++i) after[i + 1] = 2 * before[i];
    });
  };
  with_views(a);
  with_views(c);
}

TEST(Overlap, ScansReadEachElementAsItWas) {
  acre::array<int> a(acre::world(), 37);
  const auto cyclic_pattern = acre::make_distribution({37}, acre::size(), acre::dist::cyclic);
  auto c = acre::make_matrix<int>(acre::world(), cyclic_pattern);
  const auto with_parts = [](auto& range) {
    with_overlapping_parts(range, [&](auto from, auto to, std::size_t first, std::size_t written) {
      const std::vector<int> before = filled(range);
      std::vector<int> sums = part(before, first, to.size());
      std::inclusive_scan(sums.begin(), sums.end(), sums.begin());
      acre::inclusive_scan(from, to);
      EXPECT_EQ(copy_of(range), with(before, written, sums));
      filled(range);
      sums = part(before, first, to.size());
      std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), 5);
      acre::exclusive_scan(from, to, 5);
      EXPECT_EQ(copy_of(range), with(before, written, sums));
    });
    std::vector<int> before = filled(range);
    acre::inclusive_scan(range, range);
    std::inclusive_scan(before.begin(), before.end(), before.begin());
    EXPECT_EQ(copy_of(range), before);
  };
  with_parts(a);
  with_parts(c);
}

TEST(Overlap, CopiesOfBoxesAreAsMemmove) {
  constexpr std::size_t edge = 9;
  const auto with_matrix = [](auto& m) {
    const auto at = [](std::size_t i, std::size_t j) { return i * edge + j; };
    struct move {
      std::size_t from[2], to[2], extents[2];
    };
    for (const auto& [from, to, extents] :
         {move{{0, 0}, {1, 0}, {8, 9}}, move{{1, 0}, {0, 0}, {8, 9}}, move{{0, 0}, {0, 2}, {9, 7}},
          move{{2, 3}, {1, 1}, {6, 5}}, move{{0, 0}, {0, 0}, {9, 9}},
          move{{0, 0}, {5, 5}, {3, 3}}}) {
      auto rows = acre::whole(m);
      const std::vector<int> before = filled(rows);
      const auto box = [&](const std::size_t(&first)[2]) {
        return acre::sub(m, {.first = {first[0], first[1]}, .extents = {extents[0], extents[1]}});
      };
      std::vector<int> after = before;
      for (std::size_t i = 0; i < extents[0]; ++i) {
        for (std::size_t j = 0; j < extents[1]; ++j) {
          after[at(to[0] + i, to[1] + j)] = before[at(from[0] + i, from[1] + j)];
        }
      }
      acre::copy(box(from), box(to));
      EXPECT_EQ(copy_of(rows), after);
      filled(rows);
      acre::transform(box(from), box(to), std::identity());
      EXPECT_EQ(copy_of(rows), after);
    }
    auto rows = acre::whole(m);
    const std::vector<int> before = filled(rows);
    acre::copy(acre::transposed(m), rows);
    const std::vector<int> turned = copy_of(rows);
    for (std::size_t i = 0; i < edge; ++i) {
      for (std::size_t j = 0; j < edge; ++j) EXPECT_EQ(turned[at(i, j)], before[at(j, i)]);
    }
    EXPECT_THROW(acre::transpose(acre::transposed(m), acre::whole(m)), acre::error);
    acre::barrier();
  };
  acre::matrix<int, 2> boxes(acre::world(), {edge, edge});
  auto columns = acre::testing::matrix_by_columns(acre::world(), edge);
  with_matrix(boxes);
  auto tiles = acre::make_matrix<int>(
      acre::world(), acre::make_distribution({edge, edge}, acre::size(), acre::dist::tile(2),
                                             acre::dist::fixed_tile<3>));
  with_matrix(tiles);
  EXPECT_EQ(columns.extent(0), edge);
  acre::barrier();
}

TEST(Overlap, MatricesInOneMemoryOverlap) {
  const std::size_t each = 8;
  const auto memory = acre::allocate<int>(each + 1);
  const std::span<int> mine(memory.local(), each + 1);
  std::iota(mine.begin(), mine.end(), static_cast<int>(100 * acre::rank()));
  acre::barrier();
  {
    auto a = acre::array<int>::adopt(acre::world(), mine.first(each));
    auto b = acre::array<int>::adopt(acre::world(), mine.subspan(1));
    acre::copy(a, b);
    for (std::size_t i = 0; i < each; ++i) {
      EXPECT_EQ(mine[i + 1], static_cast<int>(100 * acre::rank() + i));
    }
  }
  acre::deallocate(memory);
}

TEST(Overlap, MemoryHereMayHaveElementsOfTheRange) {
  const std::size_t each = 12;
  acre::array<int> a(acre::world(), each * acre::size());
  const auto cyclic_pattern =
      acre::make_distribution({each * acre::size()}, acre::size(), acre::dist::cyclic);
  auto c = acre::make_matrix<int>(acre::world(), cyclic_pattern);
  const auto with_range = [&](auto& range, const auto& own_part) {
    const std::vector<int> all = filled(range);
    const std::span<int> mine(range.local().data(), each);
    const std::vector<int> before(mine.begin(), mine.end());
    const auto expect = [&](std::size_t first, std::size_t from, std::size_t count) {
      std::vector<int> after = before;
      for (std::size_t i = 0; i < count; ++i) after[first + i] = before[from + i];
      EXPECT_EQ(std::vector<int>(mine.begin(), mine.end()), after);
      std::ranges::copy(before, mine.begin());
    };
    auto low = own_part(range, 0);
    auto high = own_part(range, 3);
    acre::copy(low, mine.subspan(3));
    expect(3, 0, each - 3);
    acre::copy(high, mine.first(each - 3));
    expect(0, 3, each - 3);
    acre::copy(mine.first(each - 3), high);
    expect(3, 0, each - 3);
    acre::copy(mine.subspan(3), low);
    expect(0, 3, each - 3);
    acre::copy_async(low, mine.subspan(3)).wait();
    expect(3, 0, each - 3);
    acre::copy_async(mine.first(each - 3), high).wait();
    expect(3, 0, each - 3);
    acre::barrier();
  };
  with_range(a, [&](auto& range, std::size_t first) {
    return range | std::views::drop(each * acre::rank() + first) | std::views::take(each - 3);
  });
  with_range(c, [&](auto& range, std::size_t first) {
    std::vector<acre::global_span<int>> own;
    for (const auto& segment : acre::ranges::segments(range)) {
      if (segment.rank() != acre::rank()) continue;
      for (std::size_t i = 0; i < segment.size(); ++i) own.push_back(segment.subspan(i, 1));
    }
    return only_segments(range.members(),
                         {own.begin() + static_cast<std::ptrdiff_t>(first),
                          own.begin() + static_cast<std::ptrdiff_t>(first + each - 3)});
  });
}

TEST(Overlap, MemoryHereMayHaveElementsOfTheBox) {
  acre::matrix<int, 2> m(acre::world(), {4 * acre::size(), 6});
  auto rows = acre::whole(m);
  filled(rows);
  const auto own = m.local_box();
  const acre::box_span<int, 2> here = m.local();
  if (own.extents[0] > 1 && own.extents[1] > 1) {
    std::vector<int> before(own.size());
    const acre::box_span<int, 2> copied(before.data(), own.extents);
    acre::copy(acre::sub(m, own), copied);
    acre::layout::box<2> smaller = own;
    --smaller.extents[0];
    --smaller.extents[1];
    const acre::layout::box<2> inside{.first = {1, 1}, .extents = smaller.extents};
    acre::copy(acre::sub(m, smaller), here.sub(inside));
    const auto expect = [&] {
      for (std::size_t i = 0; i < smaller.extents[0]; ++i) {
        for (std::size_t j = 0; j < smaller.extents[1]; ++j) {
          EXPECT_EQ(here(i + 1, j + 1), copied(i, j));
        }
      }
      acre::copy(copied, acre::sub(m, own));
    };
    expect();
    acre::copy_async(acre::sub(m, smaller), here.sub(inside)).wait();
    expect();
    acre::layout::box<2> later = smaller;
    ++later.first[0];
    ++later.first[1];
    acre::copy(here.sub({.extents = smaller.extents}), acre::sub(m, later));
    expect();
    acre::copy_async(here.sub({.extents = smaller.extents}), acre::sub(m, later)).wait();
    expect();
  }
  acre::barrier();
}

TEST(Overlap, MemoryOfANeighbourIsToldToo) {
  const std::size_t each = 10;
  acre::array<int> a(acre::world(), each * acre::size());
  filled(a);
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  const auto theirs = a | std::views::drop(each * next) | std::views::take(each);
  const std::vector<int> before = copy_of(theirs);
  for (const auto& segment : acre::ranges::segments(theirs)) {
    const std::span<int> mapped = segment.local();
    if (mapped.empty()) continue;
    acre::copy(theirs | acre::views::strided(2) | std::views::take(4), mapped.subspan(1, 4));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(mapped[i + 1], before[2 * i]);
  }
  acre::barrier();
}

TEST(Overlap, GathersAndScattersByWayOfMemoryBeside) {
  const std::size_t each = 6;
  acre::array<int> a(acre::world(), each * acre::size());
  filled(a);
  const std::size_t first = each * acre::rank();
  const std::vector<int> before(a.local().begin(), a.local().end());
  std::vector<std::size_t> turned(each);
  for (std::size_t i = 0; i < each; ++i) turned[i] = first + each - 1 - i;
  a.gather(turned, a.local());
  for (std::size_t i = 0; i < each; ++i) EXPECT_EQ(a.local()[i], before[each - 1 - i]);
  a.scatter(turned, a.local());
  for (std::size_t i = 0; i < each; ++i) EXPECT_EQ(a.local()[i], before[i]);
  acre::barrier();
}

TEST(Overlap, CopiesBetweenGlobalPointersAreAsMemmove) {
  const std::size_t count = (std::size_t{9} << 17) + 3;  // exceeds a buffer
  std::vector<unsigned char> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<unsigned char>(i * 31 + i / 997);
  acre::array<unsigned char> a(acre::world(), count * acre::size());
  const bool is_last = acre::rank() + 1 == acre::size();
  const auto memory = a.pointer(count * (acre::size() - 1));
  for (const auto& [from, to] : {std::pair(0, 5), std::pair(5, 0)}) {
    if (is_last) std::ranges::copy(all, a.local().begin());
    acre::barrier();
    if (acre::rank() == 0) acre::copy(memory + from, memory + to, count - 5);
    acre::barrier();
    if (is_last) {
      EXPECT_EQ(std::memcmp(a.local().data() + to, all.data() + from, count - 5), 0);
    }
  }
}

TEST(Copy, ConvertsElements) {
  constexpr std::size_t size = 41;
  acre::array<int> ints(acre::world(), size);
  filled(ints);
  const auto cyclic_pattern = acre::make_distribution({size}, acre::size(), acre::dist::cyclic);
  auto doubles = acre::make_matrix<double>(acre::world(), cyclic_pattern);
  acre::copy(ints, doubles);
  std::vector<float> read(size);
  acre::copy(doubles, read);
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(read[i], static_cast<float>(value_at(i)));
  std::ranges::transform(read, read.begin(), [](float x) { return x + 0.5F; });
  acre::barrier();
  if (acre::rank() == 0) acre::copy(read, doubles | std::views::take(size));
  acre::barrier();
  std::vector<double> again(size);
  acre::copy(doubles, again);
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(again[i], value_at(i) + 0.5);
  acre::barrier();
}

TEST(Copy, ConvertsElementsOfBoxes) {
  acre::matrix<int, 2> ints(acre::world(), {7, 5});
  auto rows = acre::whole(ints);
  filled(rows);
  acre::matrix<double, 2> doubles(acre::world(), {9, 5}, -1);
  acre::copy(acre::whole(ints), acre::sub(doubles, {.first = {2, 0}, .extents = {7, 5}}));
  std::vector<float> read(20);
  const acre::box_span<float, 2> here(read.data(), {5, 4});
  acre::copy(acre::sub(doubles, {.first = {2, 1}, .extents = {5, 4}}), here);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(here(i, j), static_cast<float>(value_at(5 * i + j + 1)));
      here(i, j) += 0.25F;
    }
  }
  acre::barrier();
  if (acre::rank() == 0) {
    acre::copy(here, acre::sub(doubles, {.first = {0, 0}, .extents = {5, 4}}));
    EXPECT_EQ(double(doubles(0, 0)), value_at(1) + 0.25);
  }
  EXPECT_THROW(acre::copy(acre::whole(ints), acre::whole(doubles)), acre::error);
  acre::barrier();
}

}  // namespace
