// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace {

TEST(Hash, SpreadsConsecutiveIntegersOverHighBits) {
  std::array<int, 64> filled{};
  for (std::uint64_t key = 0; key < 6400; ++key) {
    ++filled[acre::container::good_hash<acre::hash<std::uint64_t>>(key) >> 58];
  }
  for (const int each : filled) EXPECT_NEAR(each, 100, 50);
  filled.fill(0);
  for (std::uint64_t key = 0; key < 6400; ++key) {
    ++filled[acre::container::good_hash<std::hash<std::uint64_t>>(key) >> 58];
  }
  for (const int each : filled) EXPECT_NEAR(each, 100, 50);
}

struct wide_key {
  std::array<std::uint32_t, 1000> words;
};

TEST(Hash, HashesTypesThatAreTheirBytes) {
  const acre::hash<wide_key> hash;
  wide_key a{};
  wide_key b{};
  EXPECT_EQ(hash(a), hash(b));
  b.words[999] = 1;
  EXPECT_NE(hash(a), hash(b));
  EXPECT_NE(acre::base::hash_bytes("abc", 3), acre::base::hash_bytes("abc\0", 4));
}

}  // namespace
