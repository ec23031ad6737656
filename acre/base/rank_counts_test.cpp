// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/rank_counts.hpp>

#include <gtest/gtest.h>

#include <array>

namespace acre {
namespace {

constexpr std::array<std::array<std::uint64_t, 3>, 2> values{{{1, 0, 12345678901}, {3, 0, 0}}};

const rank_counts counts{.names = {"put", "get", "bytes"},
                         .ranks = 2,
                         .value = [](std::size_t r, std::size_t c) { return values[r][c]; }};

TEST(RankCounts, AreATableWithoutThoseThatAreZero) {
  EXPECT_EQ(table_of(counts, "counter", 18, mean_column::left_out),
            "counter               all ranks         least          most\n"
            "put                           4             1             3\n"
            "bytes               12345678901             0   12345678901\n");
  EXPECT_EQ(
      table_of(counts, "/agas counter", 33, mean_column::shown),
      "/agas counter                        all ranks         least          most  most/mean\n"
      "put                                          4             1             3       1.50\n"
      "bytes                              12345678901             0   12345678901       2.00\n");
}

TEST(RankCounts, AreAnArrayOfRanksInJson) {
  EXPECT_EQ(json_of(counts, "/x/"),
            "{\n  \"ranks\": [\n"
            "    {\"/x/put\": 1, \"/x/get\": 0, \"/x/bytes\": 12345678901},\n"
            "    {\"/x/put\": 3, \"/x/get\": 0, \"/x/bytes\": 0}\n  ]\n}\n");
}

TEST(RankCounts, AreALineOfEachRankInCsv) {
  EXPECT_EQ(csv_of(counts, "/x/"), "locality,/x/put,/x/get,/x/bytes\n0,1,0,12345678901\n1,3,0,0\n");
}

}  // namespace
}  // namespace acre
