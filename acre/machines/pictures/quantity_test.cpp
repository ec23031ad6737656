// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/quantity.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace acre::machines {
namespace {

TEST(Quantity, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(in_bytes(0), "0 B");
  EXPECT_EQ(in_bytes(999), "999 B");
  EXPECT_EQ(in_bytes(1.5), "1.50 B");
  EXPECT_EQ(in_bytes(999.7), "1.00 kB");
  EXPECT_EQ(in_bytes(72'345'678), "72.3 MB");
  EXPECT_EQ(in_bytes(1e21), "1000 EB");
  EXPECT_EQ(in_seconds(0), "0 s");
  EXPECT_EQ(in_seconds(7.2e-9), "7.20 ns");
  EXPECT_EQ(in_seconds(0.25), "250 ms");
  EXPECT_EQ(in_seconds(90), "90.0 s");
}

TEST(Quantity, OfSharesAndFactorsIsShort) {
  EXPECT_EQ(in_percent(0), "0 %");
  EXPECT_EQ(in_percent(0.004), "0.4 %");
  EXPECT_EQ(in_percent(0.614), "61 %");
  EXPECT_EQ(times(1), "1.00x");
  EXPECT_EQ(times(12.34), "12.3x");
  EXPECT_EQ(times(std::numeric_limits<double>::infinity()), "-");
}

}  // namespace
}  // namespace acre::machines
