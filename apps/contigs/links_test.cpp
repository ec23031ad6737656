// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/links.hpp>

#include <apps/contigs/random_bases_test.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>

namespace acre::contigs {
namespace {

TEST(Links, WantANeighbourOnlyWhenThereIsOneCandidate) {
  links node;
  EXPECT_EQ(node.wanted(side::left), no_base);
  node.add_candidate(side::left, 2);
  EXPECT_EQ(node.wanted(side::left), 2U);
  EXPECT_EQ(node.wanted(side::right), no_base);
  EXPECT_EQ(node.joined(side::left), no_base);
  node.join(side::left);
  EXPECT_EQ(node.joined(side::left), 2U);
  node.part(side::left);
  EXPECT_EQ(node.joined(side::left), no_base);
  node.add_candidate(side::left, 0);
  EXPECT_EQ(node.wanted(side::left), no_base);
  node.turn_down(side::right, 3);
  EXPECT_TRUE(node.has_turned_down(side::right, 3));
  EXPECT_FALSE(node.has_turned_down(side::left, 3));
  EXPECT_FALSE(node.has_given_up());
}

template <std::size_t Words>
void check_introductions(unsigned k, std::mt19937_64& random) {
  const spelling<Words> letters(k);
  const auto node = letters.canonical(genome::to_kmer<Words>(random_bases(random, k)));
  for (const side s : {side::left, side::right}) {
    for (unsigned base = 0; base < 4; ++base) {
      introduce(letters, node, s, base, [&](const kmer<Words>& to, const introduction& says) {
        EXPECT_EQ(to, letters.canonical(letters.beside(node, s, base)));
        EXPECT_EQ(letters.canonical(letters.beside(to, says.to, says.base)), node);
        if (letters.is_palindrome(to)) {
          EXPECT_EQ(says.to, side::left);
        }
        if (letters.is_palindrome(to) || letters.is_palindrome(node)) return;
        introduce(letters, to, says.to, says.base,
                  [&](const kmer<Words>& back, const introduction& answer) {
                    EXPECT_EQ(back, node);
                    EXPECT_EQ(answer.to, s);
                    EXPECT_EQ(answer.base, base);
                  });
      });
    }
  }
}

TEST(Links, LeadFromANeighbourBackToTheNode) {
  std::mt19937_64 random(2);
  for (unsigned i = 0; i < 2000; ++i) {
    check_introductions<1>(2 + static_cast<unsigned>(random() % 6), random);
    check_introductions<1>(31, random);
    check_introductions<2>(32 + static_cast<unsigned>(random() % 32), random);
  }
}

}  // namespace
}  // namespace acre::contigs
