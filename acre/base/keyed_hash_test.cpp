// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/keyed_hash.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

namespace {

constexpr acre::secret_key key{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};

TEST(KeyedHash, IsSipHash) {
  static_assert(acre::keyed_hash<0>(key, {}) == 0x726fdb47dd0e0e31U);
  EXPECT_EQ(acre::keyed_hash<1>(key, {0x0706050403020100U}), 0x93f5f5799a932462U);
  EXPECT_EQ(acre::keyed_hash<2>(key, {0x0706050403020100U, 0x0f0e0d0c0b0a0908U}),
            0x3f2acc7f57c29bdbU);
}

TEST(KeyedHash, DependsOnEachBitOfKeyAndWords) {
  std::set<std::uint64_t> seen{acre::keyed_hash<1>(key, {7})};
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    seen.insert(acre::keyed_hash<1>(key, {7 ^ one}));
    seen.insert(acre::keyed_hash<1>({key.low ^ one, key.high}, {7}));
    seen.insert(acre::keyed_hash<1>({key.low, key.high ^ one}, {7}));
  }
  EXPECT_EQ(seen.size(), 193U);
}

TEST(KeyedHash, HasKeysForEachPurpose) {
  using acre::key_purpose;
  EXPECT_FALSE(acre::derive_key(key, key_purpose::regions) ==
               acre::derive_key(key, key_purpose::messages));
  EXPECT_FALSE(acre::derive_key(key, key_purpose::regions) == key);
}

TEST(Secrets, AreNeverTheSame) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) {
    const acre::secret_key drawn = acre::draw_secret();
    seen.insert(drawn.low);
    seen.insert(drawn.high);
  }
  EXPECT_EQ(seen.size(), 200U);
}

}  // namespace
