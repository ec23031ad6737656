// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/accumulate.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/reduce_along.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/matrix_slice.hpp>
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <numeric>
#include <ranges>
#include <utility>
#include <vector>

namespace {

using table = acre::matrix<int, 2>;

table numbered(std::size_t rows, std::size_t columns) {
  return table(acre::world(), {rows, columns},
               [=](std::size_t i, std::size_t j) { return static_cast<int>(i * columns + j); });
}

static_assert(
    acre::ranges::distributed_range<acre::matrix_slice<int, 2, 2, acre::layout::boxes<2>>>);
static_assert(acre::ranges::writable_range<acre::matrix_slice<int, 2, 2, acre::layout::boxes<2>>>);
static_assert(
    !acre::ranges::writable_range<acre::matrix_slice<const int, 3, 2, acre::layout::boxes<2>>>);
static_assert(acre::ranges::distributed_box<acre::matrix_slice<int, 2, 2, acre::layout::boxes<2>>>);

TEST(MatrixSlice, RefersToElements) {
  table m = numbered(9, 10);
  const auto part = acre::slice(m, {{1, 9, 3}, {.step = 4}});
  EXPECT_EQ(part.extents(), (acre::layout::coordinates<2>{3, 3}));
  EXPECT_EQ(part(1, 2), 48);
  EXPECT_EQ(std::ranges::begin(part).index(), 10U);
  const auto of_part = acre::slice(part, {{.first = 1}, {2, 3}});
  EXPECT_EQ(of_part.extents(), (acre::layout::coordinates<2>{2, 1}));
  EXPECT_EQ(of_part(1, 0), 78);
  const auto of_box = acre::slice(acre::sub(m, {.first = {2, 3}, .extents = {4, 5}}),
                                  {{.step = 3}, {.first = 1, .step = 3}});
  EXPECT_EQ(of_box(1, 1), 57);
  EXPECT_EQ(acre::reduce_on_all(acre::slice(std::as_const(m), {{8, 9}, {0, 2}})), 161);
  EXPECT_TRUE(acre::slice(m, {{9, 20}, {}}).size() == 0);
  acre::barrier();
}

TEST(MatrixSlice, IsReadBeforeItIsOverwritten) {
  table m = numbered(8, 8);
  acre::transform(acre::slice(m, {{}, {0, 7}}), acre::slice(m, {{}, {1, 8}}), std::identity());
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 1; j < 8; ++j) EXPECT_EQ(m(i, j), static_cast<int>(8 * i + j - 1));
  }
  acre::barrier();
  const auto even = acre::slice(m, {{.step = 2}, {.step = 2}});
  acre::transform(even, even, std::negate<>());
  EXPECT_EQ(m(2, 4), -19);
  EXPECT_EQ(m(3, 4), 27);
  acre::barrier();
}

TEST(MatrixSlice, IsABox) {
  table m(acre::world(), {6, 6}, 1);
  const auto part = acre::slice(m, {{.step = 2}, {1, 6, 2}});
  std::vector<int> ones(9);
  std::iota(ones.begin(), ones.end(), 0);
  acre::accumulate(acre::box_span<int, 2>(ones.data(), {3, 3}), part);
  acre::barrier();
  const int ranks = static_cast<int>(acre::size());
  EXPECT_EQ(m(2, 3), 1 + 4 * ranks);
  EXPECT_EQ(m(3, 3), 1);
  const auto sums = acre::reduce_along<0>(part);
  EXPECT_EQ(sums(1), 3 + 12 * ranks);
  acre::barrier();
}

TEST(MatrixSlice, RefusesAStepOfZero) {
  table m(acre::world(), {3, 3});
  EXPECT_THROW(static_cast<void>(acre::slice(m, {{.step = 0}, {}})), acre::error);
  acre::barrier();
}

TEST(Broadcast, RepeatsElements) {
  const acre::matrix<int, 1> row(acre::world(), {4},
                                 [](std::size_t i) { return static_cast<int>(i); });
  const auto all = acre::broadcast<3>(row, {2, 3, 4});
  EXPECT_EQ(all(1, 2, 3), 3);
  EXPECT_EQ(acre::reduce_on_all(all), 36);
  table m = numbered(5, 1);
  const auto wide = acre::broadcast<2>(acre::slice(m, {{.step = 2}, {}}), {3, 7});
  EXPECT_EQ(wide(2, 6), 4);
  EXPECT_EQ(acre::reduce_on_all(wide), 42);
  EXPECT_THROW(static_cast<void>(acre::broadcast<2>(row, {4, 3})), acre::error);
  EXPECT_THROW(static_cast<void>(acre::broadcast<2>(m, {4, 1})), acre::error);
  acre::barrier();
}

TEST(HaloMatrix, HasAChosenPattern) {
  const auto rows =
      acre::make_distribution({12, 5}, acre::size(), acre::dist::blocked, acre::dist::none);
  auto m = acre::make_halo_matrix<int>(acre::world(), rows, 1, 3);
  EXPECT_EQ(m.local().extent(1), m.local().extent(0) == 0 ? 0U : 5U);
  acre::halo h(m, {.edges = acre::periodic});
  h.update();
  auto thin = acre::make_halo_matrix<int>(acre::world(), rows, {.before = {2, 0}, .after = {1, 0}});
  EXPECT_EQ(thin.pattern().memory().margins.before[0], 2U);
  EXPECT_THROW(static_cast<void>(acre::make_halo_matrix<int>(acre::world(), rows, 13)),
               acre::error);
  acre::barrier();
}

}  // namespace
