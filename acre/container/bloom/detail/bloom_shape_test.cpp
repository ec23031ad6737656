// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bloom/detail/bloom_shape.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace acre::container {
namespace {

TEST(BloomShape, TakesWiderBlocksForLowerRates) {
  EXPECT_EQ(choose_bloom_shape(0.1).words, 1U);
  EXPECT_EQ(choose_bloom_shape(0.01).words, 1U);
  EXPECT_EQ(choose_bloom_shape(1e-3).words, 2U);
  EXPECT_EQ(choose_bloom_shape(1e-4).words, 4U);
  EXPECT_EQ(choose_bloom_shape(1e-6).words, 8U);
}

TEST(BloomShape, KeepsTheRateWithLittleMoreMemoryThanAnyBloomFilterNeeds) {
  for (const double rate : {0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const bloom_shape shape = choose_bloom_shape(rate);
    const unsigned bits = 64 * shape.words;
    const auto rates = bloom_block_rates(bits, shape.draws, shape.words == 1 ? 0 : 1);
    const double kept = bloom_rate(rates, bits / shape.item_bits);
    EXPECT_LE(kept, rate) << rate;
    EXPECT_GE(kept, rate * 0.94) << rate;
    const double ideal = std::log(1 / rate) / (std::log(2.0) * std::log(2.0));
    EXPECT_LE(shape.item_bits, 1.7 * ideal + 0.1) << rate;
  }
}

TEST(BloomShape, IsMadeForEveryRateThatIsAllowed) {
  for (const double rate : {1e-9, least_bloom_rate, 0.999, 0.999999}) {
    const bloom_shape shape = choose_bloom_shape(rate);
    EXPECT_GT(shape.item_bits, 0) << rate;
    EXPECT_LE(shape.item_bits, 200) << rate;
    EXPECT_GE(shape.draws, 1U) << rate;
  }
}

TEST(BloomShape, KnowsTheRateOfABlock) {
  const std::vector<double> two = bloom_block_rates(2, 1, 0);
  EXPECT_DOUBLE_EQ(two[0], 0);
  EXPECT_DOUBLE_EQ(two[1], 0.5);
  EXPECT_DOUBLE_EQ(two[2], 0.75);
  EXPECT_DOUBLE_EQ(two[3], 0.875);
  EXPECT_DOUBLE_EQ(bloom_block_rates(2, 2, 0)[1], 0.5 * 0.25 + 0.5);
  EXPECT_DOUBLE_EQ(bloom_block_rates(4, 1, 1)[0], 0.25);
}

}  // namespace
}  // namespace acre::container
