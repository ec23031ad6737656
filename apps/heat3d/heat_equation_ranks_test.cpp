// SPDX-License-Identifier: BSD-3-Clause
#include <apps/heat3d/heat_equation.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace acre::heat3d {
namespace {

double error_after(double time, std::size_t intervals, points which) {
  cube heat(world(), intervals, which);
  while (heat.time() < time) heat.step();
  return heat.error();
}

TEST(Heat, ConvergesWithTheSquareOfTheDistanceOfSevenPoints) {
  const double order =
      std::log2(error_after(0.03, 8, points::seven) / error_after(0.03, 16, points::seven));
  EXPECT_NEAR(order, 2, 0.2);
}

TEST(Heat, ConvergesWithTheSixthPowerOfThatOfTwentySevenPoints) {
  const double order = std::log2(error_after(0.03, 8, points::twenty_seven) /
                                 error_after(0.03, 16, points::twenty_seven));
  EXPECT_NEAR(order, 6, 0.2);
}

TEST(Heat, TakesWhatIsNoNumberForTheWorstError) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(worse(0.5, 0.25), 0.5);
  EXPECT_TRUE(std::isinf(worse(0.5, none)));
  EXPECT_TRUE(std::isinf(worse(worse(0.5, none), 0.75)));
}

}  // namespace
}  // namespace acre::heat3d
