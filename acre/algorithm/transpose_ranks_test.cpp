// Transposition between matrices of all patterns.
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>

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

/// Transposes m into `out`, and looks at all of that.
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

/// Its buffers are not given back while others write into them, which the sanitizers would see.
TEST(Transpose, WaitsForWhatIsUnderWayWhenTheOperationThrows) {
  matrix<int, 2> m(world(), {300, 200}, 1);
  matrix<int, 2> out(world(), {200, 300});
  const auto fails = [](int, int) -> int { throw std::runtime_error("no"); };
  EXPECT_THROW(transpose_onto(m, out, fails), std::runtime_error);
}

TEST(Transpose, RefusesOtherExtents) {
  matrix<int, 2> m(world(), {3, 4});
  matrix<int, 2> out(world(), {3, 4});
  EXPECT_THROW(transpose(m, out), error);
  barrier();
}

}  // namespace
