// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/sequence.hpp>

#include <apps/contigs/contig_set.hpp>
#include <apps/contigs/links.hpp>
#include <apps/contigs/random_bases_test.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <set>
#include <string>

namespace acre::contigs {
namespace {

TEST(Sequence, OfALineIsTheSmallerOfItsTwoReadings) {
  EXPECT_EQ(reverse_complement("AACGT"), "ACGTT");
  EXPECT_EQ(canonical_line("TTTG"), "CAAA");
  EXPECT_EQ(canonical_line("CAAA"), "CAAA");
}

std::string turned(const std::string& circle, unsigned k) {
  return words_for(k) == 1 ? canonical_circle<1>(circle, k) : canonical_circle<2>(circle, k);
}

TEST(Sequence, OfACircleIsTheSameFromEverywhereInBothDirections) {
  std::mt19937_64 random(1);
  unsigned checked = 0;
  for (const unsigned k : {3U, 4U, 21U, 31U, 32U, 63U}) {
    for (const std::size_t length : {1UL, 2UL, 5UL, 30UL, 100UL}) {
      const std::string circle = random_bases(random, length);
      const std::string expected = turned(circle, k);
      ASSERT_EQ(expected.size(), length + k - 1);
      // Skips random circles with repeated k-mers.
      std::set<std::string> words;
      for (std::size_t at = 0; at < length; ++at) {
        words.insert(canonical_line(expected.substr(at, k)));
      }
      if (words.size() != length) continue;
      ++checked;
      EXPECT_EQ(expected.substr(0, k), *words.begin());
      for (std::size_t begin = 0; begin < length; ++begin) {
        const std::string other = circle.substr(begin) + circle.substr(0, begin);
        EXPECT_EQ(turned(other, k), expected);
        EXPECT_EQ(turned(reverse_complement(other), k), expected);
      }
    }
  }
  EXPECT_GE(checked, 20U);
}

}  // namespace
}  // namespace acre::contigs
