// SPDX-License-Identifier: BSD-3-Clause
// Allreduces of reproducible sums.
#include <acre/base/error.hpp>
#include <acre/base/expansion_sum_test.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace {

using acre::exact_sums::expansion_sum;
using acre::op::reproducible_sum;

/// Sums of all members cancel in part.
double number_of(acre::rank_t member, std::size_t index) {
  const auto mixed = (member / 2 + 1) * 0x9E3779B97F4A7C15U * (index + 3);
  const double fraction = 1 + std::ldexp(static_cast<double>(mixed >> 12), -52);
  const double x = std::ldexp(fraction, static_cast<int>(mixed % 120) - 60);
  return member % 2 == 1 ? -x * (1 + std::ldexp(1.0, -30)) : x;
}

double sum_of(const acre::team& members, std::size_t index) {
  std::vector<double> all;
  for (acre::rank_t m = 0; m < members.size(); ++m) all.push_back(number_of(m, index));
  return expansion_sum(all);
}

TEST(ReductionReproducibleSmoke, SumsOfValuesAreExactInAllForms) {
  const acre::team& world = acre::world();
  const acre::team turned = world.split(0, -static_cast<int>(acre::rank()));
  const acre::team few = world.split(static_cast<int>(acre::rank() / 3));
  for (std::size_t i = 0; i < 4; ++i) {
    const double mine = number_of(world.rank(), i);
    const double expected = sum_of(world, i);
    EXPECT_EQ(world.allreduce(mine, reproducible_sum), expected);
    EXPECT_EQ(turned.allreduce(mine, reproducible_sum), expected);
    EXPECT_EQ(few.allreduce(number_of(few.rank(), i), reproducible_sum), sum_of(few, i));
    EXPECT_EQ(world.allreduce_async(mine, reproducible_sum).get(), expected);
    const acre::rank_t root = world.size() - 1;
    const auto at_root = world.reduce(mine, root, reproducible_sum);
    EXPECT_EQ(at_root.has_value(), world.rank() == root);
    EXPECT_EQ(at_root.value_or(expected), expected);
    const acre::reproducible_sum<double> sum(mine);
    EXPECT_EQ(world.allreduce(sum).value(), expected);
    EXPECT_EQ(world.allreduce_async(sum).get().value(), expected);
  }
  EXPECT_EQ(world.allreduce(0.5F, reproducible_sum), 0.5F * static_cast<float>(world.size()));
  EXPECT_TRUE(std::signbit(world.allreduce(-0.0, reproducible_sum)));
}

TEST(ReductionReproducible, SumsOfSpansAreExact) {
  const acre::team& world = acre::world();
  for (const std::size_t size : {0U, 1U, 5U, 63U, 600U, 5000U}) {
    std::vector<double> values(size);
    std::vector<float> floats(size);
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = number_of(world.rank(), i);
      floats[i] = static_cast<float>(i) + (world.rank() == 0 ? 0.25F : 0);
    }
    world.allreduce(std::span(values), reproducible_sum);
    world.allreduce(std::span(floats), reproducible_sum);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(values[i], sum_of(world, i)) << i << " of " << size;
      ASSERT_EQ(floats[i], static_cast<float>(i * world.size()) + 0.25F) << i << " of " << size;
    }
  }
}

TEST(ReductionReproducible, SumsOfManyAccumulatorsAreExact) {
  const acre::team& world = acre::world();
  std::vector<acre::reproducible_sum<double>> sums(50);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += number_of(world.rank(), i);
  world.allreduce(std::span(sums));
  for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i].value(), sum_of(world, i));
}

TEST(ReductionReproducible, SpansOfDifferentSizesAreAnErrorOnAll) {
  const acre::team& world = acre::world();
  if (world.size() == 1) return;
  std::vector<double> values(world.rank() == 0 ? 700 : 701, 1.0);
  const auto sum = [&] { world.allreduce(std::span(values), reproducible_sum); };
  EXPECT_THROW(sum(), acre::error);
  EXPECT_EQ(values.front(), 1.0);
  EXPECT_EQ(world.allreduce(1.0, reproducible_sum), world.size());
}

TEST(ReductionReproducible, SumsOfNumbersThatAreNotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const acre::team& world = acre::world();
  const bool is_last = world.rank() == world.size() - 1;
  EXPECT_EQ(world.allreduce(is_last ? infinity : 1.0, reproducible_sum), infinity);
  EXPECT_TRUE(std::isnan(world.allreduce(is_last ? std::nan("") : infinity, reproducible_sum)));
  constexpr double most = std::numeric_limits<double>::max();
  const double turns = world.rank() % 2 == 0 ? most : -most;
  EXPECT_EQ(world.allreduce(turns, reproducible_sum), world.size() % 2 == 0 ? 0 : most);
  EXPECT_EQ(world.allreduce(-most, reproducible_sum), world.size() == 1 ? -most : -infinity);
}

}  // namespace
