// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/block/block_dense.hpp>
#include <acre/block/block_model_test.hpp>
#include <acre/block/detail/staged_blocks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace acre;
using namespace acre::testing_blocks;

const block_sizes mixed_sizes({3, 1, 4, 2, 5, 1, 3});

block_matrix<double> random_matrix(std::uint64_t seed,
                                   block_symmetry symmetry = block_symmetry::none) {
  std::mt19937_64 random(seed);
  block_matrix<double> a(world(), random_distribution(random, mixed_sizes, mixed_sizes, size()),
                         symmetry);
  fill_at_random(a, 0.5, seed);
  return a;
}

std::vector<double> all_of(const block_matrix<double>& a) {
  std::vector<double> all(a.rows().elements() * a.columns().elements());
  for (std::size_t i = 0; i < a.rows().blocks(); ++i) {
    for (std::size_t j = 0; j < a.columns().blocks(); ++j) {
      const auto block = a.get_block(i, j);
      if (!block) continue;
      for (std::size_t e = 0; e < block->size(); ++e) {
        const std::size_t row = a.rows().begin_of(i) + e % a.rows().size_of(i);
        const std::size_t column = a.columns().begin_of(j) + e / a.rows().size_of(i);
        all[row * a.columns().elements() + column] = (*block)[e];
      }
    }
  }
  barrier();
  return all;
}

double at(const std::vector<double>& all, std::size_t i, std::size_t j) {
  return all[i * mixed_sizes.elements() + j];
}

TEST(BlockMatrix, HasWhatAnyRankHasPutAndAdded) {
  block_matrix<double> a(world(), {mixed_sizes, mixed_sizes, size()});
  const std::vector<double> values{1, 2, 3};
  a.add_block(0, 1, values);
  if (rank() == size() - 1) a.put_block(1, 0, values);
  a.finalise();
  const double n = size();
  EXPECT_EQ(*a.get_block(0, 1), (std::vector<double>{n, 2 * n, 3 * n}));
  EXPECT_EQ(*a.get_block(1, 0), values);
  EXPECT_FALSE(a.get_block(0, 0));
  EXPECT_EQ(stored_blocks(a), 2U);
  barrier();
  if (rank() == 0) a.add_block(0, 1, values);
  a.finalise();
  EXPECT_EQ(*a.get_block(0, 1), (std::vector<double>{n + 1, 2 * n + 2, 3 * n + 3}));
  barrier();
  a.clear();
  EXPECT_EQ(stored_blocks(a), 0U);
}

TEST(BlockMatrix, TakesThePutOfTheHighestRankThenWhatIsAddedAfter) {
  block_matrix<double> a(world(), {mixed_sizes, mixed_sizes, size()});
  const double mine = rank();
  a.put_block(1, 1, std::span(&mine, 1));
  a.finalise();
  EXPECT_EQ(*a.get_block(1, 1), std::vector<double>{size() - 1.0});
  barrier();
}

TEST(BlockMatrix, RefusesBlocksOfTheWrongShape) {
  block_matrix<double> a(world(), {mixed_sizes, mixed_sizes, size()});
  const std::vector<double> values{1, 2, 3, 4};
  try {
    a.put_block(0, 1, values);
    FAIL();
  } catch (const error& refused) {
    EXPECT_NE(refused.problem().find("block (0, 1) has 3 x 1 = 3 elements, not 4"),
              std::string::npos)
        << refused.problem();
  }
  EXPECT_THROW(a.add_block(7, 0, values), error);
  EXPECT_THROW(static_cast<void>(a.get_block(0, 7)), error);
  a.finalise();
  EXPECT_EQ(stored_blocks(a), 0U);
}

TEST(BlockMatrix, RefusesGridsAndSymmetriesThatDoNotFit) {
  EXPECT_THROW(block_matrix<double>(world(), {mixed_sizes, mixed_sizes, size() + 1}), error);
  EXPECT_THROW(block_matrix<double>(world(), {mixed_sizes, block_sizes::equal(2, 3), size()},
                                    block_symmetry::symmetric),
               error);
  if (size() > 1) {
    EXPECT_THROW(
        block_matrix<double>(world(), {mixed_sizes, block_sizes::equal(1 + rank(), 3), size()}),
        error);
  }
}

TEST(BlockMatrix, RefusesBlocksOfMoreElementsThanItCounts) {
  const block_sizes large(std::vector<std::uint32_t>{1U << 16});
  EXPECT_THROW(block_matrix<double>(world(), {large, large, size()}), error);
  EXPECT_THROW(block_distribution(large, large, member_grid{0, 4}), error);
}

TEST(BlockMatrix, WithASymmetryShowsBothHalves) {
  for (const block_symmetry each : {block_symmetry::symmetric, block_symmetry::antisymmetric}) {
    const block_matrix<double> a = random_matrix(5, each);
    const std::vector<double> all = all_of(a);
    const double sign = each == block_symmetry::symmetric ? 1 : -1;
    for (std::size_t i = 0; i < mixed_sizes.elements(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(at(all, i, j), sign * at(all, j, i));
    }
    double squares = 0;
    for (const double x : all) squares += x * x;
    EXPECT_NEAR(frobenius_norm(a), std::sqrt(squares), 1e-12);
  }
}

TEST(BlockMatrix, WithASymmetryTakesBlocksOfTheOtherHalf) {
  block_matrix<std::complex<double>> a(world(), {mixed_sizes, mixed_sizes, size()},
                                       block_symmetry::hermitian);
  const std::vector<std::complex<double>> values{{1, 2}, {3, 4}, {5, 6}};
  if (rank() == 0) a.put_block(1, 0, values);
  a.finalise();
  EXPECT_EQ(*a.get_block(1, 0), values);
  EXPECT_EQ(*a.get_block(0, 1), (std::vector<std::complex<double>>{{1, -2}, {3, -4}, {5, -6}}));
  barrier();
}

TEST(BlockAlgebra, CopiesMovesAndTurnsMatrices) {
  std::mt19937_64 random(7);
  for (const block_symmetry each : {block_symmetry::none, block_symmetry::symmetric}) {
    const block_matrix<double> a = random_matrix(11, each);
    const std::vector<double> all = all_of(a);
    const block_matrix<double> same = copy(a);
    EXPECT_EQ(all_of(same), all);
    const auto elsewhere = random_distribution(random, mixed_sizes, mixed_sizes, size());
    const block_matrix<double> moved = redistribute(a, elsewhere);
    EXPECT_EQ(all_of(moved), all);
    const block_matrix<double> turned = transpose(a);
    const std::vector<double> other = all_of(turned);
    for (std::size_t i = 0; i < mixed_sizes.elements(); ++i) {
      for (std::size_t j = 0; j < mixed_sizes.elements(); ++j) {
        EXPECT_EQ(at(other, i, j), at(all, j, i));
      }
    }
  }
}

TEST(BlockAlgebra, AddsMatricesThatLieInOtherWays) {
  const block_matrix<double> a = random_matrix(21, block_symmetry::symmetric);
  block_matrix<double> b = random_matrix(22);
  const std::vector<double> of_a = all_of(a);
  const std::vector<double> of_b = all_of(b);
  add(2.0, a, -3.0, b);
  const std::vector<double> sum = all_of(b);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    EXPECT_NEAR(sum[i], 2 * of_a[i] - 3 * of_b[i], 1e-14);
  }
  add(1.0, a, 0.0, b);
  EXPECT_EQ(all_of(b), of_a);
}

TEST(BlockAlgebra, HasTheNumbersOfTheDenseMatrix) {
  const block_matrix<double> a = random_matrix(31);
  const block_matrix<double> b = redistribute(random_matrix(32), a.distribution());
  const std::vector<double> of_a = all_of(a);
  const std::vector<double> of_b = all_of(b);
  double product = 0;
  double of_diagonal = 0;
  double largest = 0;
  const std::size_t n = mixed_sizes.elements();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      product += at(of_a, i, j) * at(of_b, i, j);
      sum += std::abs(at(of_a, i, j));
    }
    largest = std::max(largest, sum);
    of_diagonal += at(of_a, i, i);
  }
  EXPECT_NEAR(dot(a, b), product, 1e-13);
  EXPECT_NEAR(trace(a), of_diagonal, 1e-13);
  EXPECT_NEAR(largest_row_sum(a), largest, 1e-13);
  EXPECT_NEAR(frobenius_norm(a), std::sqrt(dot(a, a)), 1e-13);
}

TEST(BlockAlgebra, ReadsAndWritesDiagonals) {
  block_matrix<double> a = random_matrix(41);
  const std::vector<double> before = all_of(a);
  add_on_diagonal(a, 2.5);
  std::vector<double> values = diagonal(a);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], at(before, i, i) + 2.5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  set_diagonal(a, values);
  const std::vector<double> after = all_of(a);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_NEAR(at(after, i, j), i == j ? values[i] : at(before, i, j), 1e-14);
    }
  }
  values.pop_back();
  EXPECT_THROW(set_diagonal(a, values), error);
}

TEST(BlockAlgebra, WritesDiagonalsToTheBit) {
  block_matrix<double> a = random_matrix(41);
  std::vector<double> values(mixed_sizes.elements(), 1e20);
  set_diagonal(a, values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) + 0.1;
  set_diagonal(a, values);
  EXPECT_EQ(diagonal(a), values);
}

TEST(BlockAlgebra, KeepsWhatHermitianMatricesAre) {
  using complex = std::complex<double>;
  block_matrix<complex> a(world(), {mixed_sizes, mixed_sizes, size()}, block_symmetry::hermitian);
  block_matrix<complex> b(world(), a.distribution(), block_symmetry::hermitian);
  fill_at_random(a, 0.8, 5);
  fill_at_random(b, 0.8, 6);
  block_matrix<complex> all_of_a(world(), a.distribution());
  block_matrix<complex> all_of_b(world(), a.distribution());
  const complex turn{0.5, 2};
  add(turn, a, 0, all_of_a);
  add(1, b, 0, all_of_b);
  EXPECT_NEAR(std::abs(dot(a, b) - dot(all_of_a, all_of_b) / turn), 0, 1e-12);
  for (std::size_t i = 0; i < mixed_sizes.blocks(); ++i) {
    const auto block = a.get_block(i, 0);
    if (!block) continue;
    EXPECT_EQ(all_of_a.get_block(i, 0)->front(), turn * block->front());
  }
  barrier();
  EXPECT_THROW(scale(turn, a), error);
  EXPECT_THROW(add(turn, a, 1, b), error);
  EXPECT_THROW(add_on_diagonal(a, turn), error);
  block_matrix<double> skew(world(), a.distribution(), block_symmetry::antisymmetric);
  EXPECT_THROW(add_on_diagonal(skew, 1), error);
  EXPECT_THROW(set_diagonal(skew, std::vector<double>(mixed_sizes.elements(), 1)), error);
  barrier();
}

TEST(BlockAlgebra, DropsSmallBlocksAndScales) {
  block_matrix<double> a = random_matrix(51);
  scale(-2.0, a);
  const std::size_t all = stored_blocks(a);
  std::size_t small = 0;
  a.each_local_block([&](std::size_t, std::size_t, const box_span<double, 2>& block) {
    small += acre::block_matrices::norm_of(block.data(), block.size()) < 3 ? 1 : 0;
  });
  small = world().allreduce(small);
  filter(a, 3);
  EXPECT_EQ(stored_blocks(a), all - small);
  EXPECT_GT(small, 0U);
}

TEST(BlockAlgebra, HasNormsOfNumbersWhoseSquaresAreNone) {
  const block_sizes sizes{2, 1};
  block_matrix<double> a(world(), {sizes, sizes, size()});
  for (const double each : {1e-170, 1e-320, 1e200}) {
    matrix<double, 2> dense(world(), {3, 3}, each);
    from_dense(dense, a);
    EXPECT_EQ(stored_blocks(a), 4U);
    EXPECT_NEAR(frobenius_norm(a) / each, 3, 0.01);
    filter(a, each / 2);
    EXPECT_EQ(stored_blocks(a), 4U);
  }
  scale(std::numeric_limits<double>::infinity(), a);
  EXPECT_EQ(frobenius_norm(a), std::numeric_limits<double>::infinity());
  a.clear();
  EXPECT_EQ(frobenius_norm(a), 0);
}

TEST(BlockAlgebra, RefusesToMixWhatWaitsWithItsOwnBlocks) {
  const block_sizes sizes{2, 3};
  block_matrix<double> one(world(), {sizes, sizes, size()});
  add_on_diagonal(one, 1);
  block_matrix<double> a(world(), {sizes, sizes, size()});
  const std::vector<double> fives(4, 5);
  if (rank() == size() - 1) a.put_block(0, 0, fives);
  EXPECT_THROW(add_on_diagonal(a, 1), error);
  EXPECT_THROW(add(1, one, 2, a), error);
  EXPECT_EQ(a.has_staged(), rank() == size() - 1);
  a.finalise();
  add_on_diagonal(a, 1);
  EXPECT_EQ(*a.get_block(0, 0), (std::vector<double>{6, 5, 5, 6}));
  barrier();
}

TEST(BlockAlgebra, MakesTheSameRandomMatrixWhateverHoldsIt) {
  block_matrix<double> a(world(), {mixed_sizes, mixed_sizes, member_grid{1, size()}});
  block_matrix<double> b(world(), {mixed_sizes, mixed_sizes, member_grid{size(), 1}});
  fill_at_random(a, 0.5, 3);
  fill_at_random(b, 0.5, 3);
  EXPECT_EQ(all_of(a), all_of(b));
  EXPECT_GT(stored_blocks(a), 10U);
}

TEST(BlockAlgebra, BecomesDenseAndBack) {
  for (const block_symmetry each : {block_symmetry::none, block_symmetry::symmetric}) {
    const block_matrix<double> a = random_matrix(61, each);
    const std::size_t n = mixed_sizes.elements();
    matrix<double, 2> dense(world(), {n, n}, 7.0);
    to_dense(a, dense);
    const std::vector<double> all = all_of(a);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(dense(i, j), at(all, i, j));
    }
    barrier();
    block_matrix<double> again(world(), a.distribution(), each);
    from_dense(dense, again);
    EXPECT_EQ(all_of(again), all);
    EXPECT_EQ(stored_blocks(again), stored_blocks(a));
  }
  matrix<double, 2> other(world(), {3, 3});
  EXPECT_THROW(to_dense(random_matrix(1), other), error);
}

TEST(BlockAlgebra, BecomesNoDenseMatrixOfOtherRanks) {
  matrix<double, 2> dense(world(), {2, 2}, 7.0);
  const team some = world().split(rank() == 0 ? 0 : 1);
  block_matrix<double> a(some, {block_sizes{2}, block_sizes{2}, some.size()});
  if (size() == 1) {
    to_dense(a, dense);
  } else {
    EXPECT_THROW(to_dense(a, dense), error);
  }
  barrier();
  EXPECT_EQ(dense(1, 1), size() == 1 ? 0 : 7);
  barrier();
}

TEST(StagedBlocks, NameNoBlockWhoseElementsHaveNoRoom) {
  struct large {
    std::array<std::byte, std::size_t{1} << 40> bytes;
  };
  acre::block_matrices::staged_blocks<large> staged;
  EXPECT_THROW(static_cast<void>(staged.add(0, {0, 0, acre::block_matrices::staging::put, ~0U})),
               std::length_error);
  EXPECT_TRUE(staged.empty());
}

TEST(BlockMatrix, RefusesCallsOnOtherMatricesOnOneMember) {
  if (size() == 1) GTEST_SKIP() << "a single rank cannot differ";
  const block_distribution lies(mixed_sizes, mixed_sizes, size());
  EXPECT_THROW(
      {
        if (rank() == 0) {
          block_matrix<double> made(world(), lies);
        } else {
          block_matrix<float> made(world(), lies);
        }
      },
      error);
  if (!acre::base::has_checks) return;
  block_matrix<double> a(world(), lies);
  block_matrix<double> b(world(), lies);
  auto& mine = rank() == 0 ? a : b;
  EXPECT_THROW(acre::scale(2.0, mine), error);
  EXPECT_THROW(acre::filter(mine, 1e-3), error);
  EXPECT_THROW(mine.finalise(), error);
  EXPECT_THROW(static_cast<void>(acre::transpose(mine)), error);
  acre::scale(2.0, a);
}

}  // namespace
