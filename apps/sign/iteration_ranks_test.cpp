// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/block_algebra.hpp>
#include <acre/global/team/team.hpp>

#include <apps/sign/dense_check.hpp>
#include <apps/sign/hamiltonian.hpp>
#include <apps/sign/iteration.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace {

using namespace acre::sign;

const model small{.atoms = {4, 3, 2}, .functions = 4};

TEST(SignIteration, FindsTheElectronsAndAnIdempotentDensity) {
  const auto h = hamiltonian(acre::world(), small);
  for (const method how : {method::sign, method::mcweeny}) {
    const outcome found = density_of(h, {.how = how});
    ASSERT_TRUE(found.has_converged);
    EXPECT_NEAR(acre::trace(found.density), static_cast<double>(small.occupied()), 1e-10);
    EXPECT_LT(idempotency_error(found.density), 1e-10);
    if (const auto dense = compare_with_dense(h, found.density, 0)) {
      EXPECT_LT(dense->difference, 1e-10);
      EXPECT_EQ(dense->occupied, small.occupied());
      EXPECT_NEAR(acre::dot(found.density, h), dense->energy, 1e-10);
    }
  }
}

TEST(SignIteration, ErrsLessWithASmallerFilter) {
  const auto h = hamiltonian(acre::world(), small);
  const outcome exact = density_of(h, {});
  double last = 1;
  for (const double filter : {1e-2, 1e-4, 1e-6}) {
    const outcome found = density_of(h, {.filter = filter});
    acre::block_matrix<double> difference = acre::copy(found.density);
    acre::add(-1, exact.density, 1, difference);
    const double error = acre::frobenius_norm(difference);
    EXPECT_LT(error, last);
    EXPECT_LT(error, 100 * filter);
    EXPECT_LE(found.steps.back().occupancy, exact.steps.back().occupancy);
    last = error;
  }
}

TEST(SignIteration, SaysThatItDoesNotConverge) {
  const auto h = hamiltonian(acre::world(), small);
  EXPECT_FALSE(density_of(h, {.most_steps = 3}).has_converged);
}

TEST(SignIteration, DoesNotTakeAStateAtTheChemicalPotentialForAnEffectOfTheFilter) {
  // Large enough that |X^2 - 1| / sqrt(n) < 0.1.
  acre::block_matrix<double> h = hamiltonian(acre::world(), {.atoms = {5, 5, 5}, .coupling = 0});
  std::vector<double> levels = acre::diagonal(h);
  levels[7] = 0;
  acre::set_diagonal(h, levels);
  for (const method how : {method::sign, method::mcweeny}) {
    const outcome found = density_of(h, {.how = how, .filter = 1e-300});
    EXPECT_LT(found.steps.back().error, 0.1);
    EXPECT_FALSE(found.has_converged);
  }
}

TEST(SignIteration, EndsWhereAllStatesAreAtTheChemicalPotential) {
  const auto h = hamiltonian(acre::world(), {.atoms = {1, 1, 1}, .functions = 1, .coupling = 0});
  const outcome found = density_of(h, {.filter = 1e-8, .mu = -1});
  EXPECT_FALSE(found.has_converged);
  EXPECT_EQ(found.steps.back().error, 1);
}

TEST(SignIteration, DoesNotConvergeWhereTheFilterSpoilsIt) {
  const auto h = hamiltonian(acre::world(), {.atoms = {2, 2, 2}});
  EXPECT_FALSE(density_of(h, {.how = method::mcweeny, .filter = 1}).has_converged);
}

TEST(SignIteration, HasOneErrorByBothMethods) {
  const auto h = hamiltonian(acre::world(), small);
  const outcome sign = density_of(h, {});
  const outcome density = density_of(h, {.how = method::mcweeny});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(density.steps[i].error, sign.steps[i].error, 1e-12);
  }
}

TEST(Hamiltonian, HasABlockForEachPairWithinReach) {
  for (const double cutoff : {0.0, 1e-3, 1e-2, 1.0}) {
    const model of{.atoms = {9, 4, 7}, .functions = 1, .cutoff = cutoff};
    for (const std::size_t i : {0U, 93U, 251U}) {
      const std::vector<std::uint32_t> near = of.near(i);
      EXPECT_TRUE(std::ranges::is_sorted(near));
      for (std::uint32_t j = 0; j < of.count(); ++j) {
        if (of.coupling * std::exp(-of.distance(i, j) / of.decay) < cutoff) continue;
        EXPECT_TRUE(std::ranges::binary_search(near, j)) << i << ' ' << j;
      }
    }
    const auto h = hamiltonian(acre::world(), of);
    const auto pairs = static_cast<double>(of.count() * of.count());
    EXPECT_LE(of.least_bytes(), acre::occupancy(h) * pairs * sizeof(double) + 1);
  }
}

TEST(Hamiltonian, TellsElectronsWhereTheyAreSure) {
  const model weak{.atoms = {3, 3, 2}, .functions = 3, .coupling = 0.1};
  const auto h = hamiltonian(acre::world(), weak);
  EXPECT_EQ(electrons_below(0, h, weak), 36U);
  EXPECT_EQ(electrons_below(-2, h, weak), 0U);
  EXPECT_EQ(electrons_below(2, h, weak), 54U);
  EXPECT_EQ(electrons_below(-1, h, weak), std::nullopt) << "some are above, some below";
  const model strong{.atoms = {3, 3, 2}, .functions = 3, .coupling = 3};
  EXPECT_EQ(electrons_below(0, hamiltonian(acre::world(), strong), strong), std::nullopt);
}

TEST(Hamiltonian, IsSymmetricAndFallsOffWithTheDistance) {
  EXPECT_EQ(small.distance(0, 1), 1);
  EXPECT_EQ(small.distance(0, 2), 1);
  const auto h = hamiltonian(acre::world(), small);
  for (std::size_t i = 0; i < small.count(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::vector<double> one = h.get_block(i, j).value();
      const std::vector<double> other = h.get_block(j, i).value();
      for (std::size_t x = 0; x < small.functions; ++x) {
        for (std::size_t y = 0; y < small.functions; ++y) {
          EXPECT_EQ(one[y * small.functions + x], other[x * small.functions + y]);
        }
      }
    }
  }
  acre::barrier();
}

}  // namespace
