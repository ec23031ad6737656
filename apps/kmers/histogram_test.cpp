// SPDX-License-Identifier: BSD-3-Clause
#include <apps/kmers/histogram.hpp>

#include <apps/genome/kmer.hpp>
#include <apps/genome/share.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <unordered_map>

#ifndef ACRE_TEST_DATA
#define ACRE_TEST_DATA "data"
#endif

namespace acre::kmers {

using namespace genome;
namespace {

TEST(Histogram, WritesALineForEachCountThatOccurs) {
  histogram counts;
  for (const auto occurrences : {1, 1, 1, 0, 7, 4095, 4096, 4096, 1000000}) {
    counts.add(static_cast<std::uint64_t>(occurrences));
  }
  EXPECT_EQ(counts.text(1000000), "1 3\n7 1\n4095 1\n4096 2\n1000000 1\n");
  EXPECT_EQ(counts.text(10000), "1 3\n7 1\n4095 1\n4096 2\n10001 1\n");
  EXPECT_EQ(counts.text(4095), "1 3\n7 1\n4095 1\n4096 3\n");
  EXPECT_EQ(counts.text(1), "1 3\n2 5\n");
  EXPECT_EQ(counts.distinct(), 8U);
  EXPECT_EQ(counts.total(), 3U + 7 + 4095 + 2 * 4096 + 1000000);
  EXPECT_EQ(counts.number(0), 0U);
  EXPECT_EQ(counts.number(1), 3U);
  EXPECT_EQ(counts.number(4096), 2U);
  EXPECT_EQ(counts.number(5000), 0U);
}

TEST(Histogram, IsEmptyWithoutKmers) {
  EXPECT_EQ(histogram{}.text(10000), "");
  EXPECT_EQ(histogram{}.total(), 0U);
}

TEST(Histogram, IsTheSameHoweverItIsPutTogether) {
  std::mt19937_64 random(1);
  std::map<std::uint64_t, std::uint64_t> model;
  std::array<histogram, 3> parts;
  for (unsigned i = 0; i < 10000; ++i) {
    const auto occurrences = 1 + random() % (std::uint64_t{1} << random() % 20);
    ++model[occurrences];
    parts[i % 3].add(occurrences);
  }
  histogram whole;
  for (const auto& part : parts) whole.add(part.lines());
  std::string expected;
  for (const auto& [occurrences, number] : model) {
    expected += std::to_string(occurrences) + " " + std::to_string(number) + "\n";
  }
  EXPECT_EQ(whole.text(1U << 20), expected);
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_the_known_histogram(unsigned k) {
  const std::filesystem::path data = ACRE_TEST_DATA;
  const auto reads = inspect(data / "mtdna_hg03706.fastq.gz");
  std::unordered_map<kmer<1>, std::uint64_t> counts;
  chunk_source chunks(reads, {.file = 0, .begin = 0, .end = reads.bytes}, k);
  for (chunk text; chunks.next(text);) {
    for_each_record(text, reads.path, [&](const record& read) {
      for_each_canonical_kmer<1>(read.sequence, k, [&](const kmer<1>& word) { ++counts[word]; });
    });
  }
  histogram found;
  for (const auto& [word, occurrences] : counts) found.add(occurrences);
  EXPECT_EQ(found.text(10000),
            file_text(data / ("mtdna_hg03706_k" + std::to_string(k) + ".histo")));
}

TEST(Histogram, OfTheMitochondrialReadsIsTheKnownOne) {
  expect_the_known_histogram(21);
  expect_the_known_histogram(31);
}

}  // namespace
}  // namespace acre::kmers
