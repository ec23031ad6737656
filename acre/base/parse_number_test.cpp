// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/parse_number.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace {

using acre::base::parse_number;

TEST(ParseNumber, ReadsWholeTextsOnly) {
  EXPECT_EQ(parse_number<int>("-17"), -17);
  EXPECT_EQ(parse_number<std::uint32_t>("4294967295"), 4294967295U);
  EXPECT_EQ(parse_number<std::uint32_t>("ff", 16), 255U);
  EXPECT_EQ(parse_number<double>("1.5e3"), 1500.0);
  for (const char* wrong : {"", " 1", "1 ", "+1", "1x", "0x1", "4294967296", "-1"}) {
    EXPECT_EQ(parse_number<std::uint32_t>(wrong), std::nullopt) << wrong;
  }
  for (const char* wrong : {"", "1.5s", "+1", "1e999"}) {
    EXPECT_EQ(parse_number<double>(wrong), std::nullopt) << wrong;
  }
}

TEST(ParseNumber, RemovesOnePlusBeforeANumber) {
  using acre::base::without_plus;
  EXPECT_EQ(without_plus("+1"), "1");
  EXPECT_EQ(without_plus("++1"), "+1");
  for (const char* kept : {"", "1", "-1", "+-1"}) EXPECT_EQ(without_plus(kept), kept);
}

}  // namespace
