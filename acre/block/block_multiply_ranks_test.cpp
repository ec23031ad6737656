// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/block/block_model_test.hpp>
#include <acre/block/block_multiply.hpp>
#include <acre/block/detail/product_choice.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

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

template <class T>
model<T> expected_product(T alpha, const model<T>& a, const model<T>& b, T beta, const model<T>& c,
                          const multiply_options& options, block_symmetry of_c) {
  model<T> result(c.rows, c.columns);
  for (std::size_t i = 0; i < c.rows.blocks(); ++i) {
    for (std::size_t j = 0; j < c.columns.blocks(); ++j) {
      if (!is_stored(of_c, i, j)) continue;
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
    if constexpr (std::floating_point<T>)
      return std::numeric_limits<T>::epsilon();
    else
      return std::numeric_limits<typename T::value_type>::epsilon();
  }();
  c.each_local_block([&](std::size_t i, std::size_t j, const box_span<const T, 2>& block) {
    ASSERT_EQ(c.distribution().owner(i, j), c.members().rank()) << what;
    ASSERT_TRUE(expected.has(i, j)) << what << ": block " << i << ", " << j;
    for (std::size_t x = 0; x < block.extent(0); ++x) {
      for (std::size_t y = 0; y < block.extent(1); ++y) {
        const auto& right =
            expected.at(expected.rows.begin_of(i) + x, expected.columns.begin_of(j) + y);
        ASSERT_LE(std::abs(wide<T>(block(x, y)) - right), 2000 * rounding)
            << what << ": block " << i << ", " << j;
      }
    }
  });
}

struct random_kinds {
  explicit random_kinds(std::mt19937_64& random) {
    const auto one = [&] { return static_cast<block_symmetry>(random() % 2 * (random() % 4)); };
    of_c = one();
    a_is_c = random() % 8 == 0;
    b_is_c = random() % 8 == 0;
    of_a = a_is_c ? of_c : one();
    of_b = b_is_c ? of_c : one();
  }
  block_symmetry of_a;
  block_symmetry of_b;
  block_symmetry of_c;
  bool a_is_c;
  bool b_is_c;
};

struct random_cuts {
  random_cuts(std::mt19937_64& random, const random_kinds& kinds) {
    const bool are_large = random() % 8 == 0;
    const auto drawn = [&] {
      return are_large ? random_sizes(random, 1 + random() % 3, 40)
                       : random_sizes(random, 1 + random() % 9, 7);
    };
    const bool is_square = kinds.a_is_c || kinds.b_is_c;
    const auto is_any = [](block_symmetry one) { return one != block_symmetry::none; };
    rows = drawn();
    inner = is_square || is_any(kinds.of_a) || (is_any(kinds.of_b) && is_any(kinds.of_c)) ? rows
                                                                                          : drawn();
    columns = is_square || is_any(kinds.of_b) ? inner : is_any(kinds.of_c) ? rows : drawn();
  }
  block_sizes rows;
  block_sizes inner;
  block_sizes columns;
};

template <class T>
void multiply_at_random(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const random_kinds kinds(random);
  const auto [rows, inner, columns] = random_cuts(random, kinds);
  const auto how = [&] {
    return static_cast<block_transposition>(random() % 5 < 3 ? 0 : 1 + random() % 2);
  };
  const block_transposition of_a = how();
  const block_transposition of_b = how();
  const auto made = [&](const block_sizes& one, const block_sizes& other, block_transposition turn,
                        block_symmetry symmetry) {
    const bool is_turned = turn != block_transposition::none;
    return block_matrix<T>(
        world(),
        random_distribution(random, is_turned ? other : one, is_turned ? one : other, size()),
        symmetry);
  };
  block_matrix<T> other_a = made(rows, inner, of_a, kinds.of_a);
  block_matrix<T> other_b = made(inner, columns, of_b, kinds.of_b);
  block_matrix<T> c = made(rows, columns, block_transposition::none, kinds.of_c);
  const double occupancy[] = {0.05, 0.3, 1.0};
  const model<T> model_c = fill(c, occupancy[random() % 3], random());
  model<T> model_a = kinds.a_is_c ? model_c : fill(other_a, occupancy[random() % 3], random());
  model<T> model_b = kinds.b_is_c ? model_c : fill(other_b, occupancy[random() % 3], random());
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
  options.threads = static_cast<unsigned>(random() % 4);

  const model<T> expected =
      expected_product(alpha, model_a, model_b, beta, model_c, options, kinds.of_c);
  const block_matrix<T>& a = kinds.a_is_c ? c : other_a;
  const block_matrix<T>& b = kinds.b_is_c ? c : other_b;
  multiply(alpha, block_factor<T>(a, of_a), block_factor<T>(b, of_b), beta, c, options);
  expect_equal(c, expected, "seed " + std::to_string(seed));
  barrier();
}

/// ACRE_TEST_ROUNDS and ACRE_TEST_SEED override rounds and seed.
template <class T>
void multiply_in_rounds(std::uint64_t rounds) {
  const std::uint64_t seed = environment_number("ACRE_TEST_SEED").value_or(0);
  rounds = environment_number("ACRE_TEST_ROUNDS").value_or(rounds);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    multiply_at_random<T>(seed + i);
    if (world().allreduce(testing::Test::HasFailure() ? 1 : 0, op::max) != 0) return;
  }
}

TEST(BlockMultiply, IsThatOfDenseMatricesOfDoubles) { multiply_in_rounds<double>(24); }
TEST(BlockMultiply, IsThatOfDenseMatricesOfFloats) { multiply_in_rounds<float>(8); }
TEST(BlockMultiply, IsThatOfDenseMatricesOfComplexDoubles) {
  multiply_in_rounds<std::complex<double>>(16);
}
TEST(BlockMultiply, IsThatOfDenseMatricesOfComplexFloats) {
  multiply_in_rounds<std::complex<float>>(8);
}

std::vector<std::array<double, 2>> small_numbers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::array<double, 2>> numbers(count);
  for (auto& each : numbers) {
    each = {static_cast<double>(random() % 7) - 3, static_cast<double>(random() % 7) - 3};
  }
  return numbers;
}

/// (i, j) = lefts[i][0] rights[j][0] + lefts[i][1] rights[j][1]
void put_all_blocks(block_matrix<double>& m, const std::vector<std::array<double, 2>>& lefts,
                    const std::vector<std::array<double, 2>>& rights) {
  for (std::size_t row = 0; row < m.rows().blocks(); ++row) {
    for (std::size_t column = 0; column < m.columns().blocks(); ++column) {
      if (m.distribution().owner(row, column) != rank()) continue;
      std::vector<double> values;
      for (std::size_t j = 0; j < m.columns().size_of(column); ++j) {
        for (std::size_t i = 0; i < m.rows().size_of(row); ++i) {
          const auto& left = lefts[m.rows().begin_of(row) + i];
          const auto& right = rights[m.columns().begin_of(column) + j];
          values.push_back(left[0] * right[0] + left[1] * right[1]);
        }
      }
      m.put_block(row, column, values);
    }
  }
  m.finalise();
}

TEST(BlockMultiply, IsExactWhereManySmallBlocksAreMerged) {
  std::vector<std::uint32_t> of_inner;
  for (std::size_t i = 0; i < 540; ++i) of_inner.push_back(i % 2 == 0 ? 5 : 13);
  const auto rows = block_sizes::equal(62, 5);
  const auto columns = block_sizes::equal(23, 13);
  const block_sizes inner(of_inner);
  block_matrix<double> a(world(), {rows, inner, size()});
  block_matrix<double> b(world(), {inner, columns, size()});
  block_matrix<double> c(world(), {rows, columns, size()});
  const auto u = small_numbers(rows.elements(), 1);
  const auto p = small_numbers(inner.elements(), 2);
  const auto q = small_numbers(inner.elements(), 3);
  const auto w = small_numbers(columns.elements(), 4);
  put_all_blocks(a, u, p);
  put_all_blocks(b, q, w);
  double sums[2][2] = {};
  for (std::size_t k = 0; k < inner.elements(); ++k) {
    for (std::size_t x = 0; x < 2; ++x) {
      for (std::size_t y = 0; y < 2; ++y) sums[x][y] += p[k][x] * q[k][y];
    }
  }
  for (const double times : {1.0, 2.0}) {
    multiply(1.0, a, b, times - 1, c,
             {.algorithm = multiply_algorithm::one_sided, .memory = 200'000});
    EXPECT_EQ(world().allreduce(c.local_blocks()), rows.blocks() * columns.blocks());
    c.each_local_block([&](std::size_t row, std::size_t column, const box_span<double, 2>& block) {
      for (std::size_t i = 0; i < block.extent(0); ++i) {
        for (std::size_t j = 0; j < block.extent(1); ++j) {
          const auto& left = u[rows.begin_of(row) + i];
          const auto& right = w[columns.begin_of(column) + j];
          double expected = 0;
          for (std::size_t x = 0; x < 2; ++x) {
            for (std::size_t y = 0; y < 2; ++y) expected += left[x] * sums[x][y] * right[y];
          }
          ASSERT_EQ(block(i, j), times * expected) << row << ", " << column;
        }
      }
    });
  }
  barrier();
}

bool is_far(rank_t other) { return !node().contains(other); }

/// Bytes of the remote blocks that have a matching block of the other factor.
double bytes_needed(const block_matrix<double>& a, const model<double>& of_a,
                    const block_matrix<double>& b, const model<double>& of_b,
                    const block_matrix<double>& c) {
  const member_grid& grid = c.distribution().grid();
  double bytes = 0;
  for (std::size_t k = 0; k < of_a.columns.blocks(); ++k) {
    double left = 0;
    double right = 0;
    bool has_left = false;
    bool has_right = false;
    for (std::size_t i = 0; i < of_a.rows.blocks(); ++i) {
      if (c.distribution().row_owners()[i] != grid.row_of(rank()) || !of_a.has(i, k)) continue;
      has_left = true;
      if (is_far(a.distribution().owner(i, k)))
        left += of_a.rows.size_of(i) * of_a.columns.size_of(k);
    }
    for (std::size_t j = 0; j < of_b.columns.blocks(); ++j) {
      if (c.distribution().column_owners()[j] != grid.column_of(rank()) || !of_b.has(k, j))
        continue;
      has_right = true;
      if (is_far(b.distribution().owner(k, j)))
        right += of_b.rows.size_of(k) * of_b.columns.size_of(j);
    }
    if (has_left && has_right) bytes += (left + right) * sizeof(double);
  }
  return bytes;
}

TEST(BlockMultiply, ReadsTheBlocksThatItNeedsAndTheirIndices) {
  const auto sizes = block_sizes::equal(24, 16);
  const block_distribution lies(sizes, sizes, size());
  block_matrix<double> a(world(), lies);
  block_matrix<double> b(world(), lies);
  block_matrix<double> c(world(), lies);
  for (const double occupancy : {0.02, 0.3, 1.0}) {
    a.clear();
    b.clear();
    const auto of_a = fill(a, occupancy, 1);
    const auto of_b = fill(b, occupancy, 2);
    const double needed = bytes_needed(a, of_a, b, of_b, c);
    barrier();
    const auto before = runtime::counter_table;
    const multiply_report said =
        multiply(1.0, a, b, 0.0, c, {.algorithm = multiply_algorithm::one_sided});
    const auto which = static_cast<std::size_t>(runtime::counted::network_get_bytes);
    const auto moved = static_cast<double>(runtime::counter_table[which] - before[which]);
    constexpr double small = 4096;
    EXPECT_LE(static_cast<double>(said.bytes_read), 1.2 * needed + small) << occupancy;
    EXPECT_GE(static_cast<double>(said.bytes_read), needed);
    EXPECT_LE(moved, 1.2 * needed + small) << occupancy;
    barrier();
  }
}

TEST(BlockMultiply, ReadsNothingThatTheFilterLeavesOut) {
  const auto sizes = block_sizes::equal(12, 8);
  const block_distribution lies(sizes, sizes, size());
  block_matrix<double> a(world(), lies);
  block_matrix<double> b(world(), lies);
  block_matrix<double> c(world(), lies);
  fill_at_random(a, 0.5, 1);
  fill_at_random(b, 0.5, 2);
  const multiply_report all =
      multiply(1.0, a, b, 0.0, c, {.algorithm = multiply_algorithm::one_sided});
  const multiply_report none =
      multiply(1.0, a, b, 0.0, c, {.filter = 1e6, .algorithm = multiply_algorithm::one_sided});
  EXPECT_GT(all.products, 0U);
  EXPECT_EQ(none.products, 0U);
  EXPECT_EQ(c.local_blocks(), 0U);
  std::size_t far = 0;
  for (rank_t i = 0; i < size(); ++i) far += is_far(i) ? 1 : 0;
  const std::size_t indices = 2 * far * (32 + 24 * 12 * 12);
  EXPECT_LE(none.bytes_read, indices);
}

TEST(BlockMultiply, GivesTheSameBitsEachTime) {
  std::mt19937_64 random(3);
  const auto sizes = random_sizes(random, 20, 9);
  const auto lies = random_distribution(random, sizes, sizes, size());
  block_matrix<double> a(world(), lies);
  block_matrix<double> b(world(), lies);
  fill_at_random(a, 0.4, 1);
  fill_at_random(b, 0.4, 2);
  for (const multiply_options& options :
       {multiply_options{.algorithm = multiply_algorithm::one_sided}, multiply_options{.layers = 2},
        multiply_options{.algorithm = multiply_algorithm::cannon}}) {
    block_matrix<double> one(world(), lies);
    block_matrix<double> other(world(), lies);
    multiply(1.0, a, b, 0.0, one, options);
    multiply(1.0, a, b, 0.0, other, options);
    EXPECT_EQ(elements_here(one), elements_here(other));
  }
}

TEST(BlockMultiply, GivesTheSameBitsInAnyGridOfANode) {
  if (node().size() < size()) return;
  std::mt19937_64 random(4);
  const auto sizes = random_sizes(random, 20, 9);
  std::vector<std::vector<double>> found;
  for (const member_grid grid : {member_grid{1, size()}, member_grid{size(), 1}}) {
    block_matrix<double> a(world(), {sizes, sizes, grid});
    block_matrix<double> b(world(), {sizes, sizes, grid});
    block_matrix<double> c(world(), {sizes, sizes, grid});
    fill_at_random(a, 0.4, 1);
    fill_at_random(b, 0.4, 2);
    multiply(1.0, a, b, 0.0, c, {.filter = 1e-300, .algorithm = multiply_algorithm::one_sided});
    const auto here = redistribute(c, {sizes, sizes, member_grid{1, size()}});
    found.push_back(elements_here(here));
  }
  EXPECT_EQ(found.front(), found.back());
}

TEST(BlockMultiply, TakesTasksOfOthersWhereRowsAreUneven) {
  const member_grid grid{size(), 1};
  const auto sizes = block_sizes::equal(24, 48);
  const block_distribution lies(sizes, sizes, grid, block_owners::in_turn(sizes, grid.rows),
                                block_owners(std::vector<rank_t>(24, 0)));
  block_matrix<double> a(world(), lies);
  block_matrix<double> b(world(), lies);
  block_matrix<double> c(world(), lies);
  const std::vector<double> ones(48 * 48, 1.0);
  for (std::size_t i = 0; i < 24; ++i) {
    for (std::size_t j = 0; j < 24 && rank() == 0; ++j) {
      if (i % size() == 0) a.put_block(i, j, ones);
      b.put_block(i, j, ones);
    }
  }
  a.finalise();
  b.finalise();
  const multiply_report said = multiply(1.0, a, b, 0.0, c);
  const bool is_near = node().size() == size();
  const bool is_even = size() == 1;
  EXPECT_EQ(said.algorithm,
            is_near && !is_even ? multiply_algorithm::slicing : multiply_algorithm::one_sided);
  c.each_local_block([](std::size_t, std::size_t, const auto& block) {
    for (std::size_t e = 0; e < block.size(); ++e) ASSERT_EQ(block.data()[e], 24 * 48);
  });
  EXPECT_EQ(stored_blocks(c), 24 * ((24 + size() - 1) / size()));
}

TEST(BlockMultiply, RefusesWhatDoesNotFitAndLeavesTheProductAsItWas) {
  const block_sizes rows{2, 3};
  const block_sizes other{3, 2};
  block_matrix<double> a(world(), {rows, rows, size()});
  block_matrix<double> b(world(), {other, rows, size()});
  block_matrix<double> c(world(), {rows, rows, size()});
  const auto before = fill(c, 1.0, 1);
  try {
    multiply(1.0, a, b, 0.0, c);
    FAIL();
  } catch (const error& refused) {
    EXPECT_NE(refused.problem().find("the columns of the first factor do not fit the rows of the "
                                     "second: block 0 has 2 and 3"),
              std::string::npos)
        << refused.problem();
  }
  block_matrix<double> longer(world(), {block_sizes{2, 3, 1}, rows, size()});
  EXPECT_THROW(multiply(1.0, longer, a, 0.0, c), error);
  expect_equal(c, before, "as it was");
  barrier();
}

TEST(BlockMultiply, LooksAtNoFactorWhereAlphaIsZero) {
  const block_sizes sizes{2, 3, 1, 4};
  block_matrix<double> none(world(), {sizes, sizes, size()});
  static_cast<void>(fill(none, 1.0, 1));
  scale(std::numeric_limits<double>::quiet_NaN(), none);
  block_matrix<double> c(world(), {sizes, sizes, size()});
  const auto before = fill(c, 0.5, 2);
  const std::size_t blocks = stored_blocks(c);
  multiply(0.0, none, none, 1.0, c);
  expect_equal(c, before, "beta is 1");
  EXPECT_EQ(stored_blocks(c), blocks);
  multiply(0.0, none, none, 0.0, c);
  EXPECT_EQ(stored_blocks(c), 0U);
}

TEST(BlockMultiply, HasDroppedSmallBlocksWhenItReturnsAlsoWhereAlphaIsZero) {
  const block_sizes sizes = block_sizes::equal(20, 1);
  block_matrix<double> c(world(), {sizes, sizes, size()});
  for (int round = 0; round < 50; ++round) {
    if (rank() == 0) {
      for (std::size_t i = 0; i < 20; ++i)
        c.put_block(i, i, std::vector(1, i % 2 == 0 ? 1.0 : 2.0));
    }
    c.finalise();
    multiply(0.0, c, c, 1.0, c, {.filter = 1.5});
    EXPECT_FALSE(c.get_block(18, 18));
    EXPECT_TRUE(c.get_block(19, 19));
    barrier();
  }
}

TEST(BlockMultiply, RefusesAProductWithBlocksThatWait) {
  const block_sizes sizes{2, 3};
  block_matrix<double> a(world(), {sizes, sizes, size()});
  block_matrix<double> c(world(), {sizes, sizes, size()});
  if (rank() == size() - 1) c.put_block(0, 0, std::vector<double>(4, 1));
  EXPECT_THROW(multiply(1.0, a, a, 0.0, c), error);
  c.finalise();
  EXPECT_EQ(stored_blocks(c), 1U);
  multiply(1.0, a, a, 0.0, c);
  EXPECT_EQ(stored_blocks(c), 0U);
}

TEST(BlockMultiply, ChoosesLayersWhereTheySaveTraffic) {
  using acre::block_matrices::expected_traffic;
  using acre::block_matrices::layer_cell;
  const member_grid grid{8, 8};
  EXPECT_LT(expected_traffic(grid, {2, 2}, 1e9, 1e9, 1e6),
            expected_traffic(grid, {1, 1}, 1e9, 1e9, 1e6));
  EXPECT_GT(expected_traffic(grid, {2, 2}, 1e6, 1e6, 1e9),
            expected_traffic(grid, {1, 1}, 1e6, 1e6, 1e9));
}

}  // namespace
