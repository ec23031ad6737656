// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/kmer.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <random>
#include <string>
#include <vector>

namespace acre::genome {
namespace {

std::string naive_reverse_complement(std::string text) {
  std::ranges::reverse(text);
  for (char& letter : text) {
    letter = letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
  }
  return text;
}

struct naive_window {
  std::string forward;
  std::string backward;
  std::size_t position;
  bool operator==(const naive_window&) const = default;
};

std::vector<naive_window> naive_windows(const std::string& bases, unsigned k) {
  std::vector<naive_window> windows;
  for (std::size_t i = 0; i + k <= bases.size(); ++i) {
    std::string window = bases.substr(i, k);
    std::ranges::transform(window, window.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (window.find_first_not_of("ACGT") != std::string::npos) continue;
    windows.push_back({window, naive_reverse_complement(window), i});
  }
  return windows;
}

template <std::size_t Words>
void expect_same_windows(const std::string& bases, unsigned k) {
  const auto expected = naive_windows(bases, k);
  std::vector<naive_window> found;
  for_each_kmer<Words>(bases, k, [&](const auto& forward, const auto& backward, std::size_t at) {
    found.push_back({to_string(forward, k), to_string(backward, k), at});
  });
  ASSERT_EQ(found, expected) << "k = " << k << ", bases " << bases;

  std::size_t i = 0;
  for_each_canonical_kmer<Words>(bases, k, [&](const kmer<Words>& word) {
    ASSERT_LT(i, expected.size());
    ASSERT_EQ(to_string(word, k), std::min(expected[i].forward, expected[i].backward));
    ++i;
  });
  ASSERT_EQ(i, expected.size());
}

void expect_same_windows_for_all_k(const std::string& bases) {
  for (unsigned k = 1; k <= longest_kmer; ++k) {
    with_words_for(k, [&]<std::size_t Words>() { expect_same_windows<Words>(bases, k); });
    if (k <= 31) expect_same_windows<2>(bases, k);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::string random_text(std::mt19937_64& random, std::size_t length, std::string_view letters) {
  std::string text(length, ' ');
  for (char& letter : text) letter = letters[random() % letters.size()];
  return text;
}

TEST(Kmer, ScansRandomSequencesLikeTheNaiveWay) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const std::size_t length : {0U, 1U, 2U, 30U, 31U, 32U, 62U, 63U, 64U, 65U, 200U}) {
    expect_same_windows_for_all_k(random_text(random, length, "ACGT"));
    expect_same_windows_for_all_k(random_text(random, length, "ACGTacgt"));
  }
}

TEST(Kmer, SkipsWindowsWithAnythingButAcgt) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (unsigned rounds = 0; rounds < 3; ++rounds) {
    std::string bases;
    while (bases.size() < 400) {
      bases += random_text(random, random() % 80, "ACGTacgt");
      bases += random_text(random, random() % 3, "NnRYU-.*\n\r\0 \x80\xff@[`{");
    }
    expect_same_windows_for_all_k(bases);
  }
  expect_same_windows_for_all_k(std::string(100, 'N'));
}

TEST(Kmer, KeepsAPalindromeThatIsItsOwnReverseComplement) {
  const std::string half = "ACCGTTAGACCATTGACCAGTTACCAGGATA";
  for (unsigned k = 2; k <= 62; k += 2) {
    const std::string left = half.substr(0, k / 2);
    const std::string palindrome = left + naive_reverse_complement(left);
    with_words_for(k, [&]<std::size_t Words>() {
      const auto word = to_kmer<Words>(palindrome);
      EXPECT_EQ(reverse_complement(word, k), word);
      EXPECT_EQ(canonical(word, k), word);
      EXPECT_EQ(to_string(word, k), palindrome);
    });
    expect_same_windows_for_all_k("G" + palindrome + "T");
  }
}

TEST(Kmer, TakesItsReverseComplementAloneAsInTheScan) {
  std::mt19937_64 random(1);
  for (unsigned k = 1; k <= longest_kmer; ++k) {
    const auto text = random_text(random, k, "ACGT");
    with_words_for(k, [&]<std::size_t Words>() {
      const auto word = to_kmer<Words>(text);
      const auto other = reverse_complement(word, k);
      EXPECT_EQ(to_string(other, k), naive_reverse_complement(text));
      EXPECT_EQ(reverse_complement(other, k), word);
      EXPECT_EQ(canonical(word, k), canonical(other, k));
      EXPECT_EQ(to_string(canonical(word, k), k), std::min(text, naive_reverse_complement(text)));
    });
  }
}

TEST(Kmer, OrdersAsTheTextDoes) {
  std::mt19937_64 random(2);
  for (const unsigned k : {1U, 5U, 31U, 32U, 33U, 48U, 63U}) {
    with_words_for(k, [&]<std::size_t Words>() {
      for (unsigned i = 0; i < 1000; ++i) {
        auto a = random_text(random, k, "ACGT");
        auto b = a;
        b[random() % k] = "ACGT"[random() % 4];
        EXPECT_EQ(to_kmer<Words>(a) < to_kmer<Words>(b), a < b);
        EXPECT_EQ(to_kmer<Words>(a) == to_kmer<Words>(b), a == b);
      }
    });
  }
}

TEST(Kmer, NeverHasAllItsBitsSet) {
  EXPECT_NE(to_kmer<1>(std::string(31, 'T')).words[0], ~std::uint64_t{0});
  EXPECT_NE(to_kmer<2>(std::string(63, 'T')).words[0], ~std::uint64_t{0});
}

template <std::size_t Words>
void expect_avalanche(unsigned k) {
  std::mt19937_64 random(3);
  constexpr unsigned samples = 2000;
  for (unsigned bit = 0; bit < 2 * k; ++bit) {
    std::array<unsigned, 64> flips{};
    for (unsigned i = 0; i < samples; ++i) {
      const auto word = to_kmer<Words>(random_text(random, k, "ACGT"));
      const kmer<Words> other(word.value() ^ (detail::bits<Words>{1} << bit));
      const auto changed = word.hash() ^ other.hash();
      for (unsigned out = 0; out < 64; ++out) flips[out] += changed >> out & 1;
    }
    for (unsigned out = 0; out < 64; ++out) {
      EXPECT_NEAR(flips[out], samples / 2, 157) << "input bit " << bit << ", output bit " << out;
    }
  }
}

TEST(Kmer, HashesWithAGoodAvalanche) {
  expect_avalanche<1>(31);
  expect_avalanche<2>(63);
}

}  // namespace
}  // namespace acre::genome
