// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/counters.hpp>

#include <apps/genome/shared_test_file.hpp>
#include <apps/kmers/count.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace acre::kmers {
namespace {

constexpr unsigned k = 21;

std::string random_records(std::uint64_t seed, unsigned records) {
  std::mt19937_64 random(seed);
  std::string text;
  for (unsigned i = 0; i < records; ++i) {
    text += ">r\n";
    for (unsigned letter = 0; letter < 100; ++letter) text += "ACGT"[random() >> 62];
    text += '\n';
  }
  return text;
}

std::string repeats(unsigned records) {
  const std::string one = random_records(1, 1);
  std::string text;
  for (unsigned i = 0; i < records; ++i) text += one;
  return text;
}

histogram expected_of(const std::vector<std::string>& texts) {
  std::vector<kmer<1>> words;
  for (const std::string& text : texts) {
    record_parser parser(text_format::fasta);
    const auto take = [&](const record& read) {
      for_each_canonical_kmer<1>(read.sequence, k,
                                 [&](const kmer<1>& word) { words.push_back(word); });
    };
    parser.feed(text, take);
    parser.finish(take);
  }
  std::ranges::sort(words);
  histogram all;
  for (auto at = words.begin(); at != words.end();) {
    const auto end = std::upper_bound(at, words.end(), *at);
    all.add(static_cast<std::uint64_t>(end - at));
    at = end;
  }
  return all;
}

struct effort {
  unsigned rounds;
  std::uint64_t reads_per_kmer;
  bool widened;
};
effort count_files(const std::vector<std::string>& names, const std::vector<std::string>& texts,
                   std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max(),
                   counted_kmers which = counted_kmers::all) {
  std::vector<std::unique_ptr<shared_test_file>> files;
  std::vector<input> inputs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    files.push_back(std::make_unique<shared_test_file>(names[i], texts[i]));
    inputs.push_back(inspect(files.back()->path()));
  }
  counter<1> tested(inputs, k, which, most_narrow);
  const auto before = counters();
  const totals all = tested.count();
  const auto spent = counters() - before;
  const histogram found = tested.make_histogram();
  if (rank() == 0) {
    const histogram expected = expected_of(texts);
    std::vector<histogram::line> lines = expected.lines();
    if (which == counted_kmers::repeated) {
      std::erase_if(lines, [](const histogram::line& each) { return each.occurrences == 1; });
    }
    EXPECT_EQ(found.lines(), lines);
    EXPECT_EQ(all.kmers, expected.total());
  }
  barrier();
  return {.rounds = tested.rounds(),
          .reads_per_kmer = world().allreduce(spent.reads) / all.kmers,
          .widened = tested.is_wide()};
}

TEST(Count, TakesFewRoundsAndProbesForRandomText) {
  const effort plain = count_files({"a.fa"}, {random_records(1, 20'000)});
  EXPECT_LE(plain.rounds, 12U);
  EXPECT_LE(plain.reads_per_kmer, 20U);
  EXPECT_FALSE(plain.widened);
}

TEST(Count, TakesFewRoundsAndProbesForSmallPackedFiles) {
  const effort packed =
      count_files({"a.fa.gz", "b.fa.gz"}, {random_records(1, 10'000), random_records(2, 10'000)});
  EXPECT_LE(packed.rounds, 12U);
  EXPECT_LE(packed.reads_per_kmer, 20U);
}

TEST(Count, TakesFewRoundsAndProbesWhenRepeatsComeFirst) {
  // A round of repeats does not predict the next.
  const effort turned = count_files({"a.fa.gz"}, {repeats(20'000) + random_records(1, 15'000)});
  EXPECT_LE(turned.rounds, 16U);
  EXPECT_LE(turned.reads_per_kmer, 600U);
}

TEST(Count, WidensItsCountsBeforeOneCouldExceedThem) {
  const std::vector<std::string> texts{random_records(3, 5000) + repeats(80'000)};
  EXPECT_FALSE(count_files({"a.fa.gz"}, texts, 4'000'000).widened);
  // At this count a further round could overflow.
  EXPECT_TRUE(count_files({"a.fa.gz"}, texts, 2'200'000).widened);
  EXPECT_TRUE(count_files({"a.fa"}, {random_records(4, 100)}, 0).widened) << "at the begin";
}

TEST(Count, CountsOnlyRepeatedKmersButTheseExactly) {
  constexpr auto narrow = std::numeric_limits<std::uint32_t>::max();
  constexpr auto repeated = counted_kmers::repeated;
  const std::string common = random_records(5, 3000);
  const effort both = count_files(
      {"a.fa.gz", "b.fa"},
      {common + random_records(6, 5000), random_records(7, 5000) + common + repeats(3000)}, narrow,
      repeated);
  EXPECT_FALSE(both.widened);
  EXPECT_LE(both.rounds, 24U);
  EXPECT_LE(both.reads_per_kmer, 20U);
  count_files({"a.fa"}, {random_records(8, 10'000)}, narrow, repeated);
  EXPECT_TRUE(
      count_files({"a.fa.gz"}, {random_records(3, 5000) + repeats(80'000)}, 2'200'000, repeated)
          .widened);
}

}  // namespace
}  // namespace acre::kmers
