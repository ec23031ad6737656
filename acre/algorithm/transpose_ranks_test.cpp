// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace {

using namespace acre;
using extents = layout::coordinates<2>;

template <class F>
void with_patterns(const extents& n, F&& f) {
  const rank_t all = size();
  f(make_distribution(n, all, dist::balanced, dist::balanced));
  f(make_distribution(n, all, dist::tile(2), dist::fixed_tile<3>));
  f(make_distribution(n, all, dist::cyclic, dist::none));
  f(make_pattern<use_case::transpose>(n, all));
  f(make_pattern<layout::column_major_layout>(n, all));
}

template <class From, class To>
void expect_transposed(const From& m, To& out) {
  transpose(m, out);
  const std::size_t rows = m.extent(0);
  bool is_right = true;
  for_each_with_index(out, [&](std::size_t index, int each) {
    const std::size_t j = index / rows;
    const std::size_t i = index % rows;
    is_right = is_right && each == static_cast<int>(i * m.extent(1) + j);
  });
  EXPECT_TRUE(is_right);
}

TEST(TransposeSmoke, TakesAndMakesAllPatterns) {
  with_patterns({9, 8}, [](const auto& from) {
    auto m = make_matrix<int>(world(), from);
    for_each_with_index(m, [](std::size_t i, int& each) { each = static_cast<int>(i); });
    with_patterns({8, 9}, [&](const auto& to) {
      auto out = make_matrix<int>(world(), to, -1);
      expect_transposed(m, out);
    });
  });
}

TEST(Transpose, TakesMatricesOfAnyExtents) {
  for (const extents& n : {extents{0, 3}, {1, 1}, {1, 40}, {100, 67}, {1500, 701}}) {
    matrix<int, 2> m(world(), n);
    matrix<int, 2> out(world(), {n[1], n[0]}, -1);
    for_each_with_index(m, [](std::size_t i, int& each) { each = static_cast<int>(i); });
    expect_transposed(m, out);
  }
}

TEST(Transpose, TakesBoxesOfMatrices) {
  matrix<int, 2> m(world(), {9, 8});
  matrix<int, 2> out(world(), {7, 10}, -1);
  for_each_with_index(m, [](std::size_t i, int& each) { each = static_cast<int>(i); });
  transpose(sub(m, {.first = {2, 1}, .extents = {6, 5}}),
            sub(out, {.first = {1, 3}, .extents = {5, 6}}));
  for (std::size_t j = 0; j < 7; ++j) {
    for (std::size_t i = 0; i < 10; ++i) {
      const bool is_inside = j >= 1 && j < 6 && i >= 3 && i < 9;
      EXPECT_EQ(out(j, i), is_inside ? static_cast<int>((i - 1) * 8 + j) : -1);
    }
  }
  barrier();
}

TEST(Transpose, CombinesElementsWithThoseThatAreThere) {
  matrix<int, 2> m(world(), {70, 33});
  matrix<int, 2> out(world(), {33, 70}, 100);
  for_each_with_index(m, [](std::size_t i, int& each) { each = static_cast<int>(i); });
  transpose_onto(m, out, [](int there, int here) { return there - here; });
  bool is_right = true;
  for_each_with_index(out, [&](std::size_t index, int each) {
    is_right = is_right && each == 100 - static_cast<int>(index % 70 * 33 + index / 70);
  });
  EXPECT_TRUE(is_right);
}

TEST(Transpose, CombinesElementsOfLargeBlocks) {
  matrix<double, 2> m(world(), {331, 613});
  matrix<double, 2> out(world(), {612, 330}, 0.5);
  for_each_with_index(m, [](std::size_t i, double& each) { each = static_cast<double>(i); });
  transpose_onto(sub(m, {.first = {1, 1}, .extents = {330, 612}}), whole(out), std::plus<>());
  bool is_right = true;
  for_each_with_index(out, [&](std::size_t index, double each) {
    const std::size_t from = (index % 330 + 1) * 613 + index / 330 + 1;
    is_right = is_right && each == static_cast<double>(from) + 0.5;
  });
  EXPECT_TRUE(is_right);
}

TEST(Transpose, CombinesElementsToWhatIsNoneOfThemWithoutAWarning) {
  std::plus<> sum;
  short there = 3;
  const short here = 4;
  acre::algorithm::combine_elements<std::plus<>>{sum}(&there, &here);
  EXPECT_EQ(there, 7);
}

/// Transposes inside larger boxes, which must not change.
template <std::size_t Bytes>
void expect_turned(std::size_t is, std::size_t js, bool by_rows) {
  struct element {
    std::array<unsigned char, Bytes> bytes;
  };
  const auto made = [](std::size_t i, std::size_t j) {
    element e{};
    for (std::size_t b = 0; b < Bytes; ++b) {
      e.bytes[b] = static_cast<unsigned char>(1 + (i * 31 + j * 7 + b * 13) % 250);
    }
    return e;
  };
  const std::size_t wide = is + js + 3;
  std::vector<element> from(wide * wide);
  std::vector<element> to(wide * wide);
  const extents steps = by_rows ? extents{wide, 1} : extents{1, wide};
  const box_span<element, 2> source(from.data() + 1, {is, js}, steps);
  const box_span<element, 2> target(to.data() + 1, {js, is}, steps);
  for (std::size_t i = 0; i < is; ++i) {
    for (std::size_t j = 0; j < js; ++j) source(i, j) = made(i, j);
  }
  acre::algorithm::transpose_box<element>(source, target, acre::algorithm::copy_element());
  std::size_t wrong = 0;
  for (std::size_t j = 0; j < js; ++j) {
    for (std::size_t i = 0; i < is; ++i) {
      wrong += target(j, i).bytes == made(i, j).bytes ? 0 : 1;
      target(j, i) = element{};
    }
  }
  for (const element& each : to) wrong += each.bytes == element{}.bytes ? 0 : 1;
  EXPECT_EQ(wrong, 0) << is << " x " << js << " of " << Bytes << " bytes";
}

TEST(TransposeSmoke, TurnsElementsOfAllSizesAndWritesNoOthers) {
  for (const auto& [is, js] : {extents{64, 64}, {131, 77}, {1, 40}, {40, 1}, {3, 5}, {0, 4}}) {
    for (const bool by_rows : {true, false}) {
      expect_turned<1>(is, js, by_rows);
      expect_turned<2>(is, js, by_rows);
      expect_turned<4>(is, js, by_rows);
      expect_turned<8>(is, js, by_rows);
      expect_turned<16>(is, js, by_rows);
      expect_turned<24>(is, js, by_rows);
    }
  }
}

/// Sanitizers would detect writes to freed buffers.
TEST(Transpose, WaitsForWhatIsUnderWayWhenTheOperationThrows) {
  matrix<int, 2> m(world(), {300, 200}, 1);
  matrix<int, 2> out(world(), {200, 300});
  const auto fails = [](int, int) -> int { throw std::runtime_error("no"); };
  EXPECT_THROW(transpose_onto(m, out, fails), std::runtime_error);
}

TEST(Transpose, ReadsNothingThatItWrites) {
  matrix<int, 2> m(world(), {8, 8});
  for_each_with_index(m, [](std::size_t i, int& each) { each = static_cast<int>(i); });
  EXPECT_THROW(transpose(m, m), error);
  EXPECT_THROW(transpose_onto(m, m, std::plus<>()), error);
  const auto first = sub(m, {.first = {0, 1}, .extents = {3, 4}});
  EXPECT_THROW(transpose(first, sub(m, {.first = {2, 4}, .extents = {4, 3}})), error);
  const auto mine = m.local();
  auto again = decltype(m)::adopt(world(), m.pattern(), {mine.data(), mine.size()});
  EXPECT_THROW(transpose(m, again), error);
  transpose(first, sub(m, {.first = {3, 4}, .extents = {4, 3}}));
  transpose(first, sub(again, {.first = {4, 5}, .extents = {4, 3}}));
  barrier();
}

TEST(Transpose, RefusesOtherExtents) {
  matrix<int, 2> m(world(), {3, 4});
  matrix<int, 2> out(world(), {3, 4});
  EXPECT_THROW(transpose(m, out), error);
  barrier();
}

}  // namespace
