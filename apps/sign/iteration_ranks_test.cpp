// The density matrix of small models, on any number of ranks.
#include <acre/global/team.hpp>
#include <acre/sparse/block_algebra.hpp>

#include <apps/sign/dense_check.hpp>
#include <apps/sign/hamiltonian.hpp>
#include <apps/sign/iteration.hpp>
#include <gtest/gtest.h>

#include <cmath>
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

TEST(Hamiltonian, IsSymmetricAndFallsOffWithTheDistance) {
  EXPECT_EQ(small.distance(0, 1), 1);
  EXPECT_EQ(small.distance(0, 2), 1);  // a row further: two lie in the last direction
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
