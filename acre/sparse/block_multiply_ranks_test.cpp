// Products of block matrices against dense ones in long double.
#include <acre/base/error.hpp>
#include <acre/sparse/block_model_test.hpp>
#include <acre/sparse/block_multiply.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace {

using namespace acre;
using namespace acre::testing_blocks;

template <class T>
model<T> transposed_model(const model<T>& m, block_transposition how) {
  model<T> other(m.columns, m.rows);
  for (std::size_t i = 0; i < m.rows.elements(); ++i) {
    for (std::size_t j = 0; j < m.columns.elements(); ++j) {
      wide<T> x = m.at(i, j);
      if constexpr (!std::floating_point<T>) {
        if (how == block_transposition::conjugate_transposed) x = std::conj(x);
      }
      other.at(j, i) = x;
    }
  }
  for (std::size_t i = 0; i < m.rows.blocks(); ++i) {
    for (std::size_t j = 0; j < m.columns.blocks(); ++j) {
      other.there[j * other.columns.blocks() + i] = m.has(i, j);
    }
  }
  return other;
}

/// What c is to be.
template <class T>
model<T> expected_product(T alpha, const model<T>& a, const model<T>& b, T beta, const model<T>& c,
                          const multiply_options& options) {
  model<T> result(c.rows, c.columns);
  for (std::size_t i = 0; i < c.rows.blocks(); ++i) {
    for (std::size_t j = 0; j < c.columns.blocks(); ++j) {
      const std::size_t at = i * c.columns.blocks() + j;
      const bool is_inside = options.rows.contains(i) && options.columns.contains(j);
      const bool stays = c.has(i, j) && (!is_inside || beta != T{} || options.keep_pattern);
      if (stays) {
        result.there[at] = true;
        result.each(i, j, [&](std::size_t e, wide<T>& x) {
          const std::size_t m = c.rows.size_of(i);
          const auto& old = c.at(c.rows.begin_of(i) + e % m, c.columns.begin_of(j) + e / m);
          x = is_inside ? wide<T>(beta) * old : old;
        });
      }
      if (!is_inside || (options.keep_pattern && !c.has(i, j))) continue;
      for (std::size_t k = 0; k < a.columns.blocks(); ++k) {
        if (!a.has(i, k) || !b.has(k, j) || !options.inner.contains(k)) continue;
        if (a.norm(i, k) * b.norm(k, j) < options.filter) continue;
        result.there[at] = true;
        result.each(i, j, [&](std::size_t e, wide<T>& x) {
          const std::size_t row = c.rows.begin_of(i) + e % c.rows.size_of(i);
          const std::size_t column = c.columns.begin_of(j) + e / c.rows.size_of(i);
          wide<T> sum{};
          for (std::size_t p = 0; p < a.columns.size_of(k); ++p) {
            sum += a.at(row, a.columns.begin_of(k) + p) * b.at(b.rows.begin_of(k) + p, column);
          }
          x += wide<T>(alpha) * sum;
        });
      }
      if (is_inside && result.there[at] && result.norm(i, j) < options.filter) {
        result.there[at] = false;
        result.each(i, j, [](std::size_t, wide<T>& x) { x = 0; });
      }
    }
  }
  return result;
}

/// Looks at this member's blocks.
template <class T>
void expect_equal(const block_matrix<T>& c, const model<T>& expected, const std::string& what) {
  std::size_t here = 0;
  for (std::size_t i = 0; i < expected.rows.blocks(); ++i) {
    for (std::size_t j = 0; j < expected.columns.blocks(); ++j) {
      here += expected.has(i, j) && c.distribution().owner(i, j) == c.members().rank() ? 1 : 0;
    }
  }
  EXPECT_EQ(c.local_blocks(), here) << what;
  const auto rounding = [] {
    if constexpr (std::floating_point<T>) return std::numeric_limits<T>::epsilon();
    else return std::numeric_limits<typename T::value_type>::epsilon();
  }();
  c.each_local_block([&](std::size_t i, std::size_t j, const box_span<const T, 2>& block) {
    ASSERT_EQ(c.distribution().owner(i, j), c.members().rank()) << what;
    ASSERT_TRUE(expected.has(i, j)) << what << ": block " << i << ", " << j;
    for (std::size_t x = 0; x < block.extent(0); ++x) {
      for (std::size_t y = 0; y < block.extent(1); ++y) {
        const auto& right = expected.at(expected.rows.begin_of(i) + x,
                                        expected.columns.begin_of(j) + y);
        ASSERT_LE(std::abs(wide<T>(block(x, y)) - right), 2000 * rounding)
            << what << ": block " << i << ", " << j;
      }
    }
  });
}

template <class T>
void multiply_at_random(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto blocks = [&] { return 1 + random() % 9; };
  const std::uint32_t largest = random() % 8 == 0 ? 40 : 7;
  const auto rows = random_sizes(random, blocks(), largest);
  const auto inner = random_sizes(random, blocks(), largest);
  const auto columns = random_sizes(random, blocks(), largest);
  const auto how = [&] { return static_cast<block_transposition>(random() % 5 < 3 ? 0 : 1 + random() % 2); };
  const block_transposition of_a = how();
  const block_transposition of_b = how();
  const auto made = [&](const block_sizes& one, const block_sizes& other, block_transposition turn) {
    const bool is_turned = turn != block_transposition::none;
    return block_matrix<T>(world(), random_distribution(random, is_turned ? other : one,
                                                        is_turned ? one : other, size()));
  };
  block_matrix<T> a = made(rows, inner, of_a);
  block_matrix<T> b = made(inner, columns, of_b);
  block_matrix<T> c = made(rows, columns, block_transposition::none);
  const double occupancy[] = {0.05, 0.3, 1.0};
  model<T> model_a = fill(a, occupancy[random() % 3], random());
  model<T> model_b = fill(b, occupancy[random() % 3], random());
  const model<T> model_c = fill(c, occupancy[random() % 3], random());
  if (of_a != block_transposition::none) model_a = transposed_model(model_a, of_a);
  if (of_b != block_transposition::none) model_b = transposed_model(model_b, of_b);

  const auto number = [&](T one, T other) {
    const auto which = random() % 3;
    return which == 0 ? one : which == 1 ? other : number_of<T>(random);
  };
  const T alpha = number(1, -1);
  const T beta = number(0, 1);
  multiply_options options;
  const auto interval = [&](std::size_t all) {
    if (random() % 3 != 0) return block_interval{};
    const std::size_t first = random() % all;
    return block_interval{first, first + 1 + random() % all};
  };
  options.rows = interval(rows.blocks());
  options.columns = interval(columns.blocks());
  options.inner = interval(inner.blocks());
  options.keep_pattern = random() % 4 == 0;
  options.layers = random() % 4;
  options.algorithm = static_cast<multiply_algorithm>(random() % 4);
  options.memory = random() % 3 == 0 ? 1000 : 0;
  if (random() % 3 == 0) options.filter = 0.7;

  const model<T> expected =
      expected_product(alpha, model_a, model_b, beta, model_c, options);
  multiply(alpha, block_factor<T>(a, of_a), block_factor<T>(b, of_b), beta, c, options);
  expect_equal(c, expected, "seed " + std::to_string(seed));
  barrier();
}

std::uint64_t rounds() {
  const char* said = std::getenv("ACRE_TEST_ROUNDS");
  return said == nullptr ? 12 : std::strtoull(said, nullptr, 10);
}

TEST(BlockMultiply, IsThatOfDenseMatricesOfDoubles) {
  for (std::uint64_t i = 0; i < rounds() && !HasFailure(); ++i) multiply_at_random<double>(i);
}
TEST(BlockMultiply, IsThatOfDenseMatricesOfFloats) {
  for (std::uint64_t i = 0; i < rounds() / 2; ++i) multiply_at_random<float>(1000000 + i);
}
TEST(BlockMultiply, IsThatOfDenseMatricesOfComplexNumbers) {
  for (std::uint64_t i = 0; i < rounds() / 2; ++i) {
    multiply_at_random<std::complex<double>>(2000000 + i);
    multiply_at_random<std::complex<float>>(3000000 + i);
  }
}

}  // namespace
