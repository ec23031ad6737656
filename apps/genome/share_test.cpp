// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/share.hpp>

#include <acre/base/error.hpp>

#include <apps/genome/kmer.hpp>
#include <apps/genome/totals.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace acre::genome {
namespace {

class Share : public testing::Test {
 protected:
  Share() { std::filesystem::create_directories(folder_); }
  ~Share() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    const auto path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string write_gzip(const std::string& name, std::string_view text) {
    const auto path = (folder_ / name).string();
    const auto file = gzopen(path.c_str(), "wb1");
    EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
              static_cast<int>(text.size()));
    gzclose(file);
    return path;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("acre_share_test_" + std::to_string(::getpid()));
};

using counts = std::map<std::string, unsigned>;

template <typename Counts>
void count_kmers(std::string_view bases, unsigned k, Counts& into) {
  with_words_for(k, [&]<std::size_t Words>() {
    for_each_kmer<Words>(bases, k, [&](const kmer<Words>& word, const auto&, std::size_t) {
      ++into[to_string(word, k)];
    });
  });
}

counts read_shared(const std::vector<input>& inputs, unsigned k, std::uint32_t ranks,
                   std::size_t size, std::uint64_t* input_bytes = nullptr) {
  counts found;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (const piece& part : share_of(inputs, rank, ranks)) {
      chunk_source chunks(inputs[part.file], part, k, size);
      for (chunk text; chunks.next(text);) {
        EXPECT_EQ(text.origin.file, part.file);
        if (input_bytes != nullptr) *input_bytes += text.origin.input_bytes;
        for_each_record(text, inputs[text.origin.file].path,
                        [&](const record& read) { count_kmers(read.sequence, k, found); });
      }
    }
  }
  return found;
}

struct generated {
  std::string text;
  std::vector<std::string> sequences;

  [[nodiscard]] counts kmers(unsigned k) const {
    counts expected;
    for (const auto& bases : sequences) count_kmers(bases, k, expected);
    return expected;
  }
};

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases(length, ' ');
  for (char& base : bases) base = "ACGTACGTACGTACGTN"[random() % 17];
  return bases;
}

generated random_fasta(std::mt19937& random, std::size_t contigs) {
  generated made;
  const std::string end = random() % 3 == 0 ? "\r\n" : "\n";
  const auto width = std::array<std::size_t, 4>{1, 7, 60, 100000}[random() % 4];
  for (std::size_t i = 0; i < contigs; ++i) {
    const auto bases = random_bases(random, random() % std::array{5U, 50U, 900U}[random() % 3]);
    made.sequences.push_back(bases);
    made.text += ">contig" + std::to_string(i) + std::string(random() % 30, '>') + end;
    for (std::size_t at = 0; at < bases.size(); at += width) {
      made.text += bases.substr(at, width) + end;
    }
  }
  if (random() % 2 == 0) made.text.resize(made.text.size() - end.size());
  return made;
}

generated random_fastq(std::mt19937& random, std::size_t reads) {
  generated made;
  const std::string end = random() % 3 == 0 ? "\r\n" : "\n";
  const bool is_wrapped = random() % 2 == 0;
  const std::string letters = random() % 2 == 0 ? "@+>I" : "@+AC";
  for (std::size_t i = 0; i < reads; ++i) {
    const auto bases = random_bases(random, 1 + random() % 120);
    made.sequences.push_back(bases);
    std::string quality(bases.size(), ' ');
    for (char& letter : quality) letter = letters[random() % letters.size()];
    const auto lines = [&](const std::string& text) {
      const std::size_t width = is_wrapped ? 1 + random() % 30 : text.size();
      for (std::size_t at = 0; at < text.size(); at += width) {
        made.text += text.substr(at, width) + end;
      }
    };
    made.text += "@read" + std::to_string(i) + end;
    lines(bases);
    made.text += std::string("+") + (random() % 2 == 0 ? "read" : "") + end;
    lines(quality);
    if (is_wrapped && random() % 4 == 0) made.text += end;
  }
  if (made.text.ends_with(end + end)) made.text.resize(made.text.size() - end.size());
  if (random() % 2 == 0) made.text.resize(made.text.size() - end.size());
  return made;
}

generated random_file(std::mt19937& random, unsigned round) {
  return round % 3 == 0 ? random_fastq(random, 1 + random() % 40)
                        : random_fasta(random, 1 + random() % 10);
}

TEST_F(Share, LosesAndDoublesNoKmerOfPlainFiles) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 9; ++round) {
    const auto made = random_file(random, round);
    const std::vector inputs{inspect(write("plain", made.text))};
    ASSERT_TRUE(inputs[0].divisible);
    for (const unsigned k : {1U, 2U, 5U, 31U, 63U}) {
      const auto expected = made.kmers(k);
      for (const std::uint32_t ranks : {1U, 2U, 3U, 7U, 16U}) {
        for (const std::size_t size : {1U, 300U, 1U << 14}) {
          std::uint64_t bytes = 0;
          ASSERT_EQ(read_shared(inputs, k, ranks, size, &bytes), expected)
              << "k " << k << ", " << ranks << " ranks, chunks of " << size << "\n"
              << made.text;
          ASSERT_EQ(bytes, made.text.size());
        }
      }
    }
  }
}

TEST_F(Share, CutsAPlainFileRightAtEveryByte) {
  std::mt19937 random(1);
  for (const bool fastq : {false, true}) {
    const auto made = fastq ? random_fastq(random, 4) : random_fasta(random, 3);
    const input whole = inspect(write("plain", made.text));
    const auto expected = made.kmers(21);
    for (std::uint64_t cut = 0; cut <= whole.bytes; ++cut) {
      counts found;
      for (const piece part : {piece{0, 0, cut}, piece{0, cut, whole.bytes}}) {
        chunk_source chunks(whole, part, 21, 1000);
        for (chunk text; chunks.next(text);) {
          for_each_record(text, whole.path,
                          [&](const record& read) { count_kmers(read.sequence, 21, found); });
        }
      }
      ASSERT_EQ(found, expected) << "cut at " << cut << " of\n" << made.text;
    }
  }
}

std::string problem_of(const std::string& path, std::uint32_t ranks = 1, std::size_t size = 100);
std::string hundred_reads();
totals add_up_shared(const std::vector<input>& inputs, unsigned k, std::uint32_t ranks,
                     std::size_t size);

TEST_F(Share, CutsALargeFastqFileOnlyWhereARecordBegins) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 6; ++round) {
    const auto made = random_fastq(random, 100);
    const input_file file(write("large", made.text));
    std::uint64_t last = 0;
    std::uint64_t cuts = 0;
    for (std::uint64_t offset = 1; offset < made.text.size(); offset += 1 + random() % 20) {
      const std::uint64_t cut = detail::cut_fastq(file, offset, 0).offset;
      ASSERT_GE(cut, offset);
      ASSERT_GE(cut, last);
      cuts += cut != last ? 1 : 0;
      last = cut;
      if (cut == made.text.size()) continue;
      ASSERT_EQ(made.text.compare(cut, 5, "@read"), 0) << "cut at " << cut << "\n" << made.text;
    }
    EXPECT_GT(cuts, 30U) << made.text;
  }
}

TEST_F(Share, CutsNowhereInQualityThatEndsLikeARecord) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "@read\nAGACAGCAA\nCCC\n+\n@+C\nCAC\n+@C\nC+C\n";
  const input_file file(write("alike", text));
  for (std::uint64_t offset = 1; offset < 1000; ++offset) {
    const std::uint64_t cut = detail::cut_fastq(file, offset, 0).offset;
    ASSERT_LT(cut, text.size());
    ASSERT_EQ(text.compare(cut, 5, "@read"), 0) << offset;
  }
}

TEST_F(Share, RefusesBytesThatAreNoTextInBoundedMemory) {
  const std::string letters(300, 'A');
  for (const std::string& begin : {">a\n" + letters + "\n", "@a\nACGT\n+\nIIII\n@b\n" + letters,
                                   ">" + letters, std::string("@a\n")}) {
    const auto path = write("hole", begin);
    std::filesystem::resize_file(path, std::uint64_t{1} << 26);
    const auto lines = std::ranges::count(begin, '\n') + 1;
    for (const std::uint32_t ranks : {1U, 3U}) {
      EXPECT_EQ(problem_of(path, ranks),
                ":" + std::to_string(lines) + ": the text contains a byte 0");
    }
  }
}

TEST_F(Share, ReadsTextWithAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  const auto made = hundred_reads();
  for (const auto& path : {write("marked", mark + made), write_gzip("marked.gz", mark + made)}) {
    EXPECT_EQ(add_up_shared({inspect(path)}, 5, 3, 100).records, 100U);
  }
  const auto small = write("small", mark + "\n>ACGT\r\nGaGA\r\nG\r\n");
  for (const std::uint32_t ranks : {1U, 2U, 3U, 7U, 12U, 23U}) {
    EXPECT_EQ(read_shared({inspect(small)}, 3, ranks, 7), (counts{{"AGA", 1}, {"GAG", 2}}))
        << ranks;
    EXPECT_EQ(add_up_shared({inspect(small)}, 3, ranks, 7).records, 1U) << ranks;
  }
}

TEST_F(Share, FindsFastqBehindFastaHoweverItIsCut) {
  const std::string text = ">a\nACGTACGT\nACGT\n@b\nACGT\n+\nIIII\n";
  for (std::uint64_t cut = 0; cut <= text.size(); ++cut) {
    const input whole = inspect(write("mixed", text));
    const auto read_all = [&] {
      for (const piece part : {piece{0, 0, cut}, piece{0, cut, whole.bytes}}) {
        chunk_source chunks(whole, part, 5, 7);
        for (chunk some; chunks.next(some);)
          for_each_record(some, whole.path, [](const record&) {});
      }
    };
    try {
      read_all();
      ADD_FAILURE() << "cut at " << cut;
    } catch (const error& problem) {
      EXPECT_NE(problem.problem().find(":4: a FASTQ record, \"@"), std::string::npos)
          << problem.problem();
    }
  }
}

TEST_F(Share, GivesToTheFirstRankWhatItAloneMayOpen) {
  const std::vector<input> inputs{
      {"a", 10, false, false}, {"-", 0, false, true, true}, {"c", 7, false, true}};
  EXPECT_EQ(share_of(inputs, 0, 1), (std::vector<piece>{{0, 0, 10}, {1, 0, 0}, {2, 0, 7}}));
  EXPECT_EQ(share_of(inputs, 0, 3), (std::vector<piece>{{0, 0, 10}, {1, 0, 0}, {2, 0, 7}}));
  EXPECT_TRUE(share_of(inputs, 1, 3).empty());
  EXPECT_TRUE(inspect("/dev/stdin").of_first_rank);
  EXPECT_TRUE(inspect("-").of_first_rank);
  EXPECT_FALSE(inspect(write("x", ">a\n")).of_first_rank);
}

totals add_up_shared(const std::vector<input>& inputs, unsigned k, std::uint32_t ranks,
                     std::size_t size) {
  totals sum;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (const piece& part : share_of(inputs, rank, ranks)) {
      chunk_source chunks(inputs[part.file], part, k, size);
      for (chunk text; chunks.next(text);) {
        for_each_record(text, inputs[text.origin.file].path,
                        [&](const record& read) { sum.add(read, text.origin.carried); });
      }
    }
  }
  return sum;
}

TEST_F(Share, CountsEachRecordAndLetterOnceHoweverTheInputIsCut) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 9; ++round) {
    const auto made = random_file(random, round);
    std::uint64_t records = 0;
    std::uint64_t letters = 0;
    std::uint64_t longest = 0;
    for (const auto& bases : made.sequences) {
      records += bases.empty() ? 0 : 1;
      letters += bases.size();
      longest = std::max<std::uint64_t>(longest, bases.size());
    }
    const std::vector plain{inspect(write("plain", made.text))};
    const std::vector packed{inspect(write_gzip("packed.gz", made.text))};
    for (const auto& inputs : {plain, packed}) {
      for (const unsigned k : {1U, 2U, 5U, 31U, 63U}) {
        for (const std::uint32_t ranks : {1U, 2U, 3U, 7U, 16U}) {
          for (const std::size_t size : {1U, 7U, 300U, 1U << 14}) {
            const totals sum = add_up_shared(inputs, k, ranks, size);
            ASSERT_EQ(sum.records, records)
                << "k " << k << ", " << ranks << " ranks, chunks of " << size << "\n"
                << made.text;
            ASSERT_EQ(sum.letters, letters)
                << "k " << k << ", " << ranks << " ranks, chunks of " << size << "\n"
                << made.text;
            ASSERT_EQ(std::min<std::uint64_t>(sum.longest, k), std::min<std::uint64_t>(longest, k));
          }
        }
      }
    }
  }
}

TEST_F(Share, LosesAndDoublesNoKmerOfGzipFiles) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 20; ++round) {
    const auto made = random_file(random, round);
    const std::vector inputs{inspect(write_gzip("packed.gz", made.text))};
    ASSERT_FALSE(inputs[0].divisible);
    for (const unsigned k : {1U, 5U, 31U, 63U}) {
      for (const std::size_t size : {1U, 300U, 1U << 14}) {
        std::uint64_t bytes = 0;
        ASSERT_EQ(read_shared(inputs, k, 2, size, &bytes), made.kmers(k))
            << "k " << k << ", chunks of " << size << "\n"
            << made.text;
        ASSERT_LE(bytes, inputs[0].bytes);
      }
    }
  }
}

TEST_F(Share, ReadsManyFilesOfAllKinds) {
  std::mt19937 random(2);
  std::vector<input> inputs;
  generated all;
  for (unsigned i = 0; i < 12; ++i) {
    const auto made = i % 2 == 0 ? random_fastq(random, 1 + random() % 20)
                                 : random_fasta(random, 1 + random() % 5);
    all.sequences.insert(all.sequences.end(), made.sequences.begin(), made.sequences.end());
    const auto name = "file" + std::to_string(i);
    inputs.push_back(inspect(i % 3 == 0 ? write_gzip(name, made.text) : write(name, made.text)));
  }
  for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 7U, 100U}) {
    EXPECT_EQ(read_shared(inputs, 11, ranks, 500), all.kmers(11)) << ranks << " ranks";
  }
}

TEST_F(Share, ReadsAPipeFromItsBegin) {
  std::mt19937 random(3);
  const auto made = random_fastq(random, 500);
  const auto path = write("x", "") + ".pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << made.text; });
  const std::vector inputs{inspect(path)};
  EXPECT_FALSE(inputs[0].divisible);
  EXPECT_EQ(read_shared(inputs, 31, 3, 1000), made.kmers(31));
  writer.join();
}

TEST_F(Share, SplitsPlainFilesEvenlyAndSpreadsTheReadersOfOthers) {
  const std::vector<input> plain{{"a", 100, true}, {"b", 50, true}, {"c", 50, true}};
  EXPECT_EQ(share_of(plain, 0, 2), (std::vector<piece>{{0, 0, 100}}));
  EXPECT_EQ(share_of(plain, 1, 2), (std::vector<piece>{{1, 0, 50}, {2, 0, 50}}));
  EXPECT_EQ(share_of(plain, 1, 4), (std::vector<piece>{{0, 50, 100}}));

  const std::vector<input> packed{
      {"a", 10, false}, {"b", 90, false}, {"c", 40, false}, {"d", 45, false}};
  EXPECT_EQ(share_of(packed, 0, 2), (std::vector<piece>{{1, 0, 90}}));
  EXPECT_EQ(share_of(packed, 1, 2), (std::vector<piece>{{3, 0, 45}, {2, 0, 40}, {0, 0, 10}}));
  EXPECT_EQ(share_of(packed, 4, 8), (std::vector<piece>{{2, 0, 40}}));
  EXPECT_TRUE(share_of(packed, 5, 8).empty());
}

TEST_F(Share, FindsNoRecordsInABorderRangeSmallerThanARecord) {
  std::mt19937 random(4);
  const auto made = random_fastq(random, 2);
  const std::vector inputs{inspect(write("few", made.text))};
  EXPECT_EQ(read_shared(inputs, 3, 1000, 1 << 20), made.kmers(3));
}

std::string problem_of(const std::string& path, std::uint32_t ranks, std::size_t size) {
  try {
    read_shared({inspect(path)}, 5, ranks, size);
  } catch (const error& problem) {
    EXPECT_FALSE(problem.advice().empty());
    EXPECT_TRUE(problem.problem().starts_with(path)) << problem.problem();
    return problem.problem().substr(std::min(path.size(), problem.problem().size()));
  }
  return "none";
}

std::string hundred_reads() {
  std::string text;
  for (unsigned i = 0; i < 100; ++i) text += "@r\nACGTACGTAC\n+\nIIIIIIIIII\n";
  return text;
}

TEST_F(Share, NamesTheLineOfAWrongRecordHoweverTheFileIsShared) {
  auto text = hundred_reads() + "@wrong\nACGT\n+\nIII\n" + hundred_reads();
  for (const std::uint32_t ranks : {1U, 2U, 3U, 5U}) {
    for (const std::size_t size : {10U, 100U, 100000U}) {
      EXPECT_EQ(problem_of(write("bad", text), ranks, size),
                ":404: the quality has 3 letters, the sequence 4");
      EXPECT_EQ(problem_of(write_gzip("bad.gz", text), ranks, size),
                ":404: the quality has 3 letters, the sequence 4");
    }
  }
}

TEST_F(Share, NamesTheLineAtWhichAGzipFileIsTruncated) {
  std::mt19937 random(5);
  const auto made = random_fastq(random, 2000);
  const auto whole = write_gzip("whole.gz", made.text);
  std::string packed(std::filesystem::file_size(whole) / 2, '\0');
  std::ifstream(whole, std::ios::binary)
      .read(packed.data(), static_cast<std::streamsize>(packed.size()));
  for (const std::size_t size : {100U, 1U << 18}) {
    const auto problem = problem_of(write("half.gz", packed), 1, size);
    const auto line = std::stoul(problem.substr(1));
    EXPECT_NE(problem.find(": the gzip stream is truncated"), std::string::npos) << problem;
    const auto lines = static_cast<unsigned long>(std::ranges::count(made.text, '\n'));
    EXPECT_GT(line, lines / 4) << problem;
    EXPECT_LT(line, lines * 7 / 8) << problem;
  }
}

TEST_F(Share, SaysWhatIsWrongWithAFile) {
  EXPECT_TRUE(inspect(write("empty", "")).empty);
  EXPECT_EQ(problem_of(write_gzip("empty.gz", "")), "none");
  EXPECT_EQ(problem_of(write("mac", ">a\rACGT\r")),
            ":1: lines end in CR alone, as on early Macintoshes");
  EXPECT_EQ(problem_of(write("utf16", "\xff\xfe>")),
            ":1: this is neither FASTA nor FASTQ: it starts with \"..>\"");
  EXPECT_EQ(problem_of(write_gzip("utf16.gz", std::string("\xff\xfe>\0", 4))),
            ":1: this is neither FASTA nor FASTQ: it starts with \"..>.\"");
  EXPECT_EQ(problem_of(write("text", "hello\n")),
            ":1: this is neither FASTA nor FASTQ: it starts with \"hello\", not with > or @");
  EXPECT_EQ(problem_of(write_gzip("text.gz", "hello\n")),
            ":1: this is neither FASTA nor FASTQ: it starts with \"hello\", not with > or @");
  EXPECT_EQ(problem_of(write("cut", hundred_reads() + "@r\nACGT\n")),
            ":402: a record without quality: the file ends after its sequence");
  EXPECT_EQ(problem_of(testing::TempDir() + "no such file"), ": No such file or directory");
  EXPECT_EQ(problem_of("/tmp"), ": Is a directory");
}

}  // namespace
}  // namespace acre::genome
