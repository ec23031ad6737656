// SPDX-License-Identifier: BSD-3-Clause
// Boxes of matrices as ranges, and copies of boxes between patterns and memory.
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_async.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/redistribute.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace {

using acre::layout::box;
using acre::layout::coordinates;
using acre::layout::row_major;

static_assert(acre::ranges::distributed_range<acre::matrix_view<int, 2, acre::layout::boxes<2>>>);
static_assert(acre::ranges::distributed_box<acre::matrix_view<int, 2, acre::layout::boxes<2>>>);
static_assert(
    acre::ranges::distributed_box<acre::matrix_view<const int, 2, acre::layout::boxes<2>>>);

template <std::size_t N, class F>
void with_matrices(const coordinates<N>& extents, F&& f) {
  const auto with = [&](const char* kind, const auto& pattern) {
    SCOPED_TRACE(kind);
    auto m = acre::make_matrix<int>(acre::world(), pattern);
    acre::generate_with_index(m, [](std::size_t i) { return static_cast<int>(i); });
    f(m);
  };
  const acre::rank_t all = acre::size();
  with("boxes", acre::make_pattern(extents, all));
  with("columns", acre::make_pattern<acre::layout::column_major_layout>(extents, all));
  with("shifted tiles", acre::make_pattern<acre::use_case::transpose>(extents, all));
  with("tiles", acre::make_pattern<acre::use_case::dgemm>(extents, all));
}

template <std::size_t N>
box<N> any_box(const coordinates<N>& extents, std::mt19937& random) {
  box<N> part;
  for (std::size_t d = 0; d < N; ++d) {
    part.first[d] = random() % extents[d];
    part.extents[d] = random() % (extents[d] - part.first[d] + 1);
  }
  return part;
}

template <std::size_t N>
int number_in(const coordinates<N>& extents, const box<N>& part, std::size_t i) {
  coordinates<N> at = row_major::at<N>(i, part.extents);
  for (std::size_t d = 0; d < N; ++d) at[d] += part.first[d];
  return static_cast<int>(row_major::number<N>(at, extents));
}

template <std::size_t N>
void expect_views(const coordinates<N>& extents) {
  std::mt19937 random(1);
  with_matrices(extents, [&](auto& m) {
    for (int turn = 0; turn < 5; ++turn) {
      const box<N> part = any_box(extents, random);
      const auto view = acre::sub(m, part);
      std::size_t i = 0;
      for (const int value : view) EXPECT_EQ(value, number_in(extents, part, i++));
      EXPECT_EQ(i, part.size());
      i = 0;
      for (const auto& segment : acre::ranges::segments(view)) {
        for (const int value : segment) EXPECT_EQ(value, number_in(extents, part, i++));
      }
      EXPECT_EQ(i, part.size());
      std::size_t own = 0;
      acre::ranges::each_own_run(view, [&](std::size_t index, std::span<int> run) {
        for (const int value : run) EXPECT_EQ(value, number_in(extents, part, index++));
        own += run.size();
      });
      EXPECT_EQ(acre::world().allreduce(own), part.size());
      acre::for_each(view, [](int& each) { each = -each - 1; });
      acre::for_each(view, [](int& each) { each = -each - 1; });
    }
    const auto all = static_cast<std::size_t>(m.size());
    EXPECT_EQ(
        acre::transform_reduce_on_all(m, std::size_t{0}, acre::op::sum,
                                      [](int each) { return static_cast<std::size_t>(each); }),
        all * (all - 1) / 2);
  });
}

TEST(Boxes, AreRangesByRows) {
  expect_views<2>({9, 7});
  expect_views<3>({4, 5, 3});
}

template <std::size_t N>
void expect_copies(const coordinates<N>& extents) {
  std::mt19937 random(2);
  with_matrices(extents, [&](auto& m) {
    const box<N> part = any_box(extents, random);
    coordinates<N> room = part.extents;
    for (std::size_t& extent : room) extent += 2;
    std::vector<int> memory(box<N>{.extents = room}.size(), -7);
    coordinates<N> one;
    one.fill(1);
    const auto here =
        acre::box_span<int, N>(memory.data(), room).sub({.first = one, .extents = part.extents});
    acre::copy(acre::sub(m, part), here);
    std::size_t touched = 0;
    for (const int value : memory) touched += value != -7 ? 1U : 0U;
    EXPECT_EQ(touched, part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      EXPECT_EQ(here[row_major::at<N>(i, part.extents)], number_in(extents, part, i));
    }
    acre::barrier();
    acre::fill(m, -1);
    if (acre::rank() == acre::size() - 1) acre::copy(here, acre::sub(m, part));
    acre::barrier();
    for (std::size_t i = 0; i < m.size(); ++i) {
      const auto at = row_major::at<N>(i, extents);
      EXPECT_EQ(m[at], part.contains(at) ? static_cast<int>(i) : -1);
    }
    acre::barrier();
  });
}

TEST(BoxesSmoke, TravelBetweenMatricesAndMemory) {
  expect_copies<2>({9, 7});
  expect_copies<3>({4, 5, 3});
  expect_copies<4>({3, 2, 4, 3});
}

TEST(BoxesSmoke, AndRangesTravelWhileTheCallerWorks) {
  const std::size_t columns = acre::size();
  acre::matrix<int, 2> m(acre::world(), {5, columns}, -1);
  std::vector<int> column{1, 2, 3, 4, 5};
  for (int& each : column) each += 10 * static_cast<int>(acre::rank());
  acre::copy_async(acre::box_span<int, 2>(column.data(), {5, 1}), acre::slab<1>(m, acre::rank()))
      .wait();
  acre::barrier();
  std::vector<int> box(5 * columns);
  std::vector<int> range(5 * columns);
  const acre::box_span<int, 2> here(box.data(), {5, columns});
  acre::shared_future<> of_box = acre::copy_async(acre::whole(m), here);
  acre::shared_future<> of_range = acre::copy_async(m, range);
  of_range.wait();
  of_box.wait();
  for (std::size_t i = 0; i < range.size(); ++i) {
    EXPECT_EQ(range[i], static_cast<int>(i / columns + 1 + 10 * (i % columns)));
  }
  EXPECT_EQ(box, range);
  acre::barrier();
  const std::vector<int> sevens(5 * columns, 7);
  if (acre::rank() == 0) acre::copy_async(sevens, m).wait();
  acre::barrier();
  EXPECT_EQ(acre::count_on_all(m, 7), m.size());
  range.push_back(0);
  EXPECT_THROW(static_cast<void>(acre::copy_async(m, range)), acre::error);
  try {
    static_cast<void>(acre::copy_async(acre::whole(m), here.sub({.extents = {1, columns}})));
    ADD_FAILURE() << "no error";
  } catch (const acre::error& failed) {
    EXPECT_EQ(failed.call(), "copy_async");
  }
  acre::barrier();
}

TEST(Boxes, TravelFromEveryPatternToEveryOther) {
  constexpr coordinates<2> extents{9, 8};
  std::mt19937 random(3);
  with_matrices(extents, [&](auto& from) {
    with_matrices(extents, [&](auto& to) {
      box<2> part = any_box(extents, random);
      const box<2> target{.first = {9 - part.extents[0], 8 - part.extents[1]},
                          .extents = part.extents};
      acre::fill(to, -1);
      acre::copy(acre::sub(from, part), acre::sub(to, target));
      std::size_t i = 0;
      for (const int value : acre::sub(to, target)) EXPECT_EQ(value, number_in(extents, part, i++));
      EXPECT_EQ(acre::count_on_all(to, -1), to.size() - part.size());
    });
  });
}

TEST(Boxes, OfAnotherPatternHaveTheSameElements) {
  acre::matrix<int, 2> m(acre::world(), {9, 8});
  acre::generate_with_index(m, [](std::size_t i) { return static_cast<int>(i); });
  const auto tiles =
      acre::redistribute(m, acre::make_pattern<acre::use_case::transpose>({9, 8}, acre::size()));
  int expected = 0;
  for (const int value : tiles) EXPECT_EQ(value, expected++);
  EXPECT_THROW(static_cast<void>(acre::redistribute(m, acre::make_pattern({8, 9}, acre::size()))),
               acre::error);
  acre::barrier();
}

TEST(Boxes, OfBoxesAndSlabsKeepTheirPlaces) {
  acre::matrix<int, 3> m(acre::world(), {4, 5, 6});
  acre::generate_with_index(m, [](std::size_t i) { return static_cast<int>(i); });
  const auto inner = acre::sub(m, {.first = {1, 1, 1}, .extents = {2, 3, 4}});
  const auto deeper = acre::sub(inner, {.first = {1, 0, 2}, .extents = {1, 2, 2}});
  EXPECT_EQ(deeper(0, 1, 1), 2 * 30 + 2 * 6 + 4);
  const auto plane = acre::slab<1>(m, 3);
  EXPECT_EQ(plane.extents(), (coordinates<3>{4, 1, 6}));
  EXPECT_EQ(plane(2, 0, 5), 2 * 30 + 3 * 6 + 5);
  acre::barrier();
}

TEST(Boxes, RefuseWhatLiesOutside) {
  acre::matrix<int, 2> m(acre::world(), {4, 5});
  EXPECT_THROW(static_cast<void>(acre::sub(m, {.first = {3, 0}, .extents = {2, 1}})), acre::error);
  EXPECT_THROW(static_cast<void>(acre::sub(m, {.first = {0, 5}, .extents = {1, 1}})), acre::error);
  EXPECT_THROW(static_cast<void>(acre::slab<1>(m, 5)), acre::error);
  acre::matrix<int, 2> turned(acre::world(), {5, 4});
  auto view = acre::whole(m);
  auto turned_view = acre::whole(turned);
  EXPECT_THROW(acre::copy(acre::whole(m), acre::whole(turned)), acre::error);
  EXPECT_THROW(acre::copy(view, turned_view), acre::error);
  std::vector<int> memory(4);
  try {
    acre::copy(acre::whole(m), acre::box_span<int, 2>(memory.data(), {2, 2}));
    FAIL() << "it was copied";
  } catch (const acre::error& failed) {
    EXPECT_NE(failed.problem().find("a box of 4 x 5 does not fit a box of 2 x 2"),
              std::string::npos);
  }
  acre::barrier();
}

}  // namespace
