// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/work_history.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace acre::amr {
namespace {

period of(double first, double second) { return {1, {{.counted = first}, {.counted = second}}}; }

TEST(WorkHistory, TakesTheRankThatHasMostInEachPeriod) {
  const std::vector<period> periods{of(3, 1), of(1, 3), of(2, 2)};
  EXPECT_EQ(critical_path(periods, &rank_work::counted), 8);
  EXPECT_EQ(even_path(periods, &rank_work::counted), 6);
  EXPECT_EQ(imbalance(periods[0], &rank_work::counted), 1.5);
}

TEST(WorkHistory, IsEvenWhereNobodyDoesAnything) {
  EXPECT_EQ(imbalance(of(0, 0), &rank_work::counted), 1);
  EXPECT_EQ(imbalance({}, &rank_work::counted), 1);
  EXPECT_EQ(critical_path({}, &rank_work::busy), 0);
}

}  // namespace
}  // namespace acre::amr
