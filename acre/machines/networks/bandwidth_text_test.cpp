// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/bandwidth_text.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

TEST(BandwidthText, KnowsBitsAndBytesWithTheirPrefixes) {
  EXPECT_EQ(as_bandwidth("125MBps", 1), 125e6);
  EXPECT_EQ(as_bandwidth("1Gbps", 1), 125e6);
  EXPECT_EQ(as_bandwidth("100Mb/s", 1), 12.5e6);
  EXPECT_EQ(as_bandwidth("200Gbit/s", 1), 25e9);
  EXPECT_EQ(as_bandwidth("1.25E9Bps", 1), 1.25e9);
  EXPECT_EQ(as_bandwidth("1MiBps", 1), 1048576);
  EXPECT_EQ(as_bandwidth("100gb/s", 1), 12.5e9);
}

TEST(BandwidthText, TakesTheCallersUnitWhereThereIsNone) {
  EXPECT_EQ(as_bandwidth("25", 1e9), 25e9);
  EXPECT_EQ(as_bandwidth("1.25E9", 1), 1.25e9);
}

TEST(BandwidthText, IsNoneWhereItIsNoBandwidth) {
  for (const char* text :
       {"", "fast", "0", "-1GB/s", "1e99GBps", "1GBp", "100G", "nan", "inf", "1 GB/s", "GBps"}) {
    EXPECT_FALSE(as_bandwidth(text, 1e9).has_value()) << text;
  }
}

}  // namespace
}  // namespace acre::machines
