// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/pace.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace acre::genome {
namespace {

TEST(Pace, BeginsWithAsMuchAsThereIsRoomFor) {
  const pace fresh(1000);
  EXPECT_EQ(fresh.budget(50'000), 50'000U);
  EXPECT_EQ(fresh.least_room(), 1000U);
}

TEST(Pace, AtMostDoublesHoweverFewKmersAreNew) {
  pace repeats(1000);
  repeats.learn(50'000, 10);
  EXPECT_EQ(repeats.budget(1'000'000), 100'000U);
  repeats.learn(100'000, 0);
  EXPECT_EQ(repeats.budget(1'000'000), 200'000U);
  repeats.learn(10, 0);
  EXPECT_EQ(repeats.budget(1'000'000), 2000U) << "not below what a round brings in any case";
}

TEST(Pace, GivesNoMoreThanThereIsRoomForWhenAllIsNew) {
  pace random(1000);
  random.learn(50'000, 50'000);
  EXPECT_EQ(random.budget(7000), 7000U) << "and no least amount";
  random.learn(50'000, 25'000);
  EXPECT_EQ(random.budget(7000), 14'000U);
  EXPECT_EQ(random.least_room(), 500U);
}

}  // namespace
}  // namespace acre::genome
