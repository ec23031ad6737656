// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/extensions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acre::contigs {
namespace {

template <class Counts>
class ExtensionCounts : public testing::Test {};
using both_widths =
    testing::Types<extension_counts<std::uint32_t>, extension_counts<std::uint64_t>>;
TYPED_TEST_SUITE(ExtensionCounts, both_widths);

TYPED_TEST(ExtensionCounts, CountsEachExtensionAlone) {
  for (std::uint8_t left = 0; left <= no_base; ++left) {
    for (std::uint8_t right = 0; right <= no_base; ++right) {
      TypeParam counts;
      counts.add({left, right, 1});
      counts.add({left, right, 0});
      EXPECT_EQ(counts.occurrences(), 1U);
      for (unsigned base = 0; base < 4; ++base) {
        EXPECT_EQ(counts.count(side::left, base), base == left ? 2U : 0U);
        EXPECT_EQ(counts.count(side::right, base), base == right ? 2U : 0U);
      }
    }
  }
}

TYPED_TEST(ExtensionCounts, StopsWhereTheNextCountWouldBegin) {
  TypeParam counts;
  for (unsigned i = 0; i < 1000; ++i) counts.add({3, 3, 1});
  counts.add({0, 2, 1});
  EXPECT_EQ(counts.count(side::left, 3), TypeParam::most);
  EXPECT_EQ(counts.count(side::right, 3), TypeParam::most);
  EXPECT_EQ(counts.occurrences(), 255U);
  EXPECT_EQ(counts.count(side::left, 0), 1U);
  EXPECT_EQ(counts.count(side::left, 2), 0U);
  EXPECT_EQ(counts.count(side::right, 2), 1U);
}

TYPED_TEST(ExtensionCounts, KnowsABaseWhenOneAloneIsDeepEnough) {
  TypeParam counts;
  for (unsigned i = 0; i < 5; ++i) counts.add({1, 2, 1});
  for (unsigned i = 0; i < 3; ++i) counts.add({0, no_base, 1});
  EXPECT_EQ(counts.unique_base(side::left, 6), no_base) << "none";
  EXPECT_EQ(counts.unique_base(side::left, 4), 1U);
  EXPECT_EQ(counts.unique_base(side::left, 3), no_base) << "a fork";
  EXPECT_EQ(counts.unique_base(side::right, 3), 2U);
  EXPECT_EQ(counts.letter(side::left, 6), 'X');
  EXPECT_EQ(counts.letter(side::left, 4), 'C');
  EXPECT_EQ(counts.letter(side::left, 3), 'F');
  EXPECT_EQ(counts.letter(side::right, 3), 'G');
}

/// "left-KMER-right" of each occurrence; x: no base, final *: k-mer not counted.
std::vector<std::string> occurrences(const record& read, unsigned k, std::uint64_t carried = 0) {
  std::vector<std::string> found;
  std::vector<std::uint8_t> extensions;
  for_each_occurrence<1>(
      read, carried, k, '5', extensions, [&](const kmer<1>& word, const occurrence& seen) {
        found.push_back(std::string(1, "ACGTx"[seen.left]) + "-" + to_string(word, k) + "-" +
                        "ACGTx"[seen.right] + (seen.counts == 0 ? "*" : ""));
      });
  return found;
}

TEST(Occurrences, HaveTheBasesBesideThemAsTheirCanonicalFormIsRead) {
  using list = std::vector<std::string>;
  EXPECT_EQ(occurrences({.sequence = "CAACT", .quality = {}}, 3),
            (list{"x-CAA-C", "C-AAC-T", "A-ACT-x"}));
  EXPECT_EQ(occurrences({.sequence = "TTTGC", .quality = {}}, 3),
            (list{"C-AAA-x", "G-CAA-A", "x-GCA-A"}))
      << "on the other strand";
}

TEST(Occurrences, DoNotCountBasesOfLowQualityNorOtherLetters) {
  using list = std::vector<std::string>;
  EXPECT_EQ(occurrences({.sequence = "GAACCT", .quality = "5II4I5"}, 2),
            (list{"x-GA-A", "G-AA-x", "A-AC-C", "A-CC-T", "x-AG-x"}));
  EXPECT_EQ(occurrences({.sequence = "NaacN", .quality = {}}, 2), (list{"x-AA-C", "A-AC-x"}));
  EXPECT_EQ(occurrences({.sequence = "AACC", .quality = "!!!!"}, 2),
            (list{"x-AA-x", "x-AC-x", "x-CC-x"}))
      << "the k-mer itself counts whatever its quality";
}

TEST(Occurrences, OfARecordThatWasCutAreThoseOfTheWhole) {
  const std::string whole = "GATTACACCAGTNGTCAGGTTACCA";
  constexpr unsigned k = 4;
  const auto add_up = [](const std::vector<std::vector<std::string>>& parts) {
    std::array<std::vector<std::string>, 3> sums;
    for (const auto& part : parts) {
      for (const std::string& each : part) {
        const std::string word = each.substr(2, k);
        if (!each.ends_with('*')) sums[0].push_back(word);
        if (each[0] != 'x') sums[1].push_back(each[0] + word);
        if (each[k + 3] != 'x') sums[2].push_back(word + each[k + 3]);
      }
    }
    for (auto& sum : sums) std::ranges::sort(sum);
    return sums;
  };
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    // The second part repeats the k letters before the cut.
    const std::size_t carried = std::min<std::size_t>(cut, k);
    const std::string_view rest = std::string_view(whole).substr(cut - carried);
    EXPECT_EQ(
        add_up({occurrences({.sequence = std::string_view(whole).substr(0, cut), .quality = {}}, k),
                occurrences({.sequence = rest, .quality = {}, .continues = true}, k, carried)}),
        add_up({occurrences({.sequence = whole, .quality = {}}, k)}))
        << cut;
  }
}

}  // namespace
}  // namespace acre::contigs
