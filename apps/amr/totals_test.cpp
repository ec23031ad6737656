// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/totals.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace acre::amr {
namespace {

TEST(ExactSum, IsTheSameInAnyOrder) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> any;
  std::vector<double> numbers(1000);
  for (double& each : numbers)
    each = std::exp(10 * any(random)) * 1e-9 * (any(random) < 0 ? -1 : 1);
  const auto sum = [&] {
    exact_sum all;
    for (const double each : numbers) all += exact_sum(each);
    return all;
  };
  const exact_sum first = sum();
  std::ranges::shuffle(numbers, random);
  EXPECT_EQ(sum(), first);
  std::ranges::sort(numbers);
  EXPECT_EQ(sum(), first);
}

TEST(ExactSum, LosesNothingOfWhatIsSmall) {
  exact_sum all;
  for (const double each : {1e6, 1e-20, -1e6, 3e-20, -1e-20}) all += exact_sum(each);
  EXPECT_NEAR(all.value(), 3e-20, 1e-28);
}

TEST(ExactSum, TakesWhatIsALittleLessThanNothing) {
  EXPECT_NEAR(exact_sum(-1e-27).value(), -1e-27, 1e-28);
  EXPECT_EQ(exact_sum(-1.5).value(), -1.5);
  EXPECT_EQ(exact_sum(-3).value(), -3);
  exact_sum nothing(-1e-40);
  EXPECT_EQ(nothing, exact_sum());
  EXPECT_EQ(nothing += exact_sum(0.25), exact_sum(0.25));
}

}  // namespace
}  // namespace acre::amr
