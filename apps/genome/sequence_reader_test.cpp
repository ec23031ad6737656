// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/sequence_reader.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace acre::genome {
namespace {

using read_list = std::vector<std::pair<std::string, std::string>>;

/// Each block is freed after use, so that the address sanitizer detects stale views.
read_list parse(std::string_view text, text_format format, std::size_t block,
                record_parser::start at = record_parser::start::record) {
  read_list reads;
  const auto take = [&](const record& read) { reads.emplace_back(read.sequence, read.quality); };
  record_parser parser(format, {.file = "reads"}, at);
  for (; !text.empty(); text.remove_prefix(std::min(block, text.size()))) {
    const std::string copy(text.substr(0, block));
    parser.feed(copy, take);
  }
  parser.finish(take);
  return reads;
}

void expect_reads(std::string_view text, text_format format, const read_list& expected) {
  for (std::size_t block = 1; block <= text.size() + 1; ++block) {
    ASSERT_EQ(parse(text, format, block), expected) << "in blocks of " << block << " bytes";
  }
}

std::string problem_of(std::string_view text, std::size_t block = 1000) {
  try {
    parse(text, format_of(text, {.file = "reads"}), block);
  } catch (const error& problem) {
    EXPECT_FALSE(problem.advice().empty());
    return problem.problem();
  }
  return "none";
}

const read_list two_reads{{"ACGT", "IIII"}, {"NAC", "@+>"}};

TEST(SequenceReader, ReadsFastqCutIntoBlocksAnywhere) {
  expect_reads("@one\nACGT\n+\nIIII\n@two x\nNAC\n+two x\n@+>\n", text_format::fastq, two_reads);
}

TEST(SequenceReader, ReadsFastqWithoutALastNewline) {
  expect_reads("@one\nACGT\n+\nIIII\n@two\nNAC\n+\n@+>", text_format::fastq, two_reads);
}

TEST(SequenceReader, ReadsFastqWithCarriageReturns) {
  expect_reads("@one\r\nACGT\r\n+\r\nIIII\r\n@two\r\nNAC\r\n+\r\n@+>\r\n", text_format::fastq,
               two_reads);
}

TEST(SequenceReader, IgnoresBlankLinesAtTheEndOfFastq) {
  for (const auto* blanks : {"\n", "\n\n\n\n", "\n\n\n\n\n\n\n\n\n", "\r\n\r\n\r\n\r\n\r\n"}) {
    expect_reads("@one\nACGT\n+\nIIII\n@two\nNAC\n+\n@+>\n" + std::string(blanks),
                 text_format::fastq, two_reads);
  }
}

TEST(SequenceReader, SkipsBlankLinesBetweenRecords) {
  for (const std::string blank : {"\n", "\n\n\n", "\r\n"}) {
    expect_reads(blank + "@one\nACGT\n+\nIIII\n" + blank + "@two\nNAC\n+\n@+>\n" + blank,
                 text_format::fastq, two_reads);
    expect_reads(blank + ">one\nACGT\n" + blank + ">two\nNAC\n" + blank, text_format::fasta,
                 {{"ACGT", ""}, {"NAC", ""}});
  }
}

TEST(SequenceReader, ReadsFastqWithWrappedLines) {
  const read_list expected{{"ACGTACG", "@I+@+>+"}, {"", ""}, {"GGT", "+@I"}};
  for (const std::string end : {"\n", "\r\n"}) {
    std::string text;
    for (const char* line : {"@one", "ACG", "TACG", "+one", "@I+", "@+", ">+", "@none", "+", "@two",
                             "G", "GT", "+", "+@I"}) {
      text += line + end;
    }
    expect_reads(text, text_format::fastq, expected);
    expect_reads(text.substr(0, text.size() - end.size()), text_format::fastq, expected);
  }
}

TEST(SequenceReader, ReportsAWrappedQualityOfAnotherLength) {
  EXPECT_EQ(problem_of("@a\nAC\nGT\n+\nII\nIII\n@b\nA\n+\nI\n"),
            "reads:6: the quality has 5 letters, the sequence 4");
  EXPECT_EQ(problem_of("@a\nAC\nGT\n+\nII\n"),
            "reads:5: the quality has 2 letters, the sequence 4");
}

TEST(SequenceReader, ReadsAnEmptyReadAmongOthers) {
  expect_reads("@a\nAC\n+\nII\n@b\n\n+\n\n@c\nG\n+\nI\n", text_format::fastq,
               {{"AC", "II"}, {"", ""}, {"G", "I"}});
}

TEST(SequenceReader, ReadsFastaOverSeveralLines) {
  const read_list expected{{"ACGTAC", ""}, {"GGTT", ""}, {"C", ""}};
  for (const auto* end : {"", "\n", "\n\n"}) {
    expect_reads(">one\nACG\nTA\nC\n>two >x\nGGTT\n>none\n>three\n\nC" + std::string(end),
                 text_format::fasta, expected);
    expect_reads(
        ">one\r\nACG\r\nTA\r\nC\r\n>two\r\nGGTT\r\n>none\r\n>three\r\n\r\nC" + std::string(end),
        text_format::fasta, expected);
  }
}

TEST(SequenceReader, GoesOnInsideASequence) {
  const read_list expected{{"ACGTAC", ""}, {"GG", ""}};
  for (std::size_t block = 1; block < 20; ++block) {
    EXPECT_EQ(
        parse("ACG\nTAC\n>x\nGG\n", text_format::fasta, block, record_parser::start::sequence),
        expected);
  }
}

TEST(SequenceReader, DoesNotCopyARecordThatLiesWithinABlock) {
  for (const std::string text : {"@a\nACGT\n+\nIIII\n", ">a\nACGT\n>b\nACGT\n"}) {
    record_parser parser(format_of(text, {}));
    std::size_t inside = 0;
    parser.feed(text, [&](const record& read) {
      inside +=
          read.sequence.data() >= text.data() && read.sequence.data() < text.data() + text.size();
    });
    EXPECT_EQ(inside, 1U) << text;
  }
}

TEST(SequenceReader, ReadsRandomRecordsHoweverTheyAreCut) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 200; ++round) {
    const bool fastq = random() % 2 == 0;
    const std::string end = random() % 2 == 0 ? "\n" : "\r\n";
    std::string text;
    read_list expected;
    for (auto records = 1 + random() % 8; records > 0; --records) {
      std::string bases(1 + random() % 50, ' ');
      std::string quality(bases.size(), ' ');
      for (char& base : bases) base = "ACGTN"[random() % 5];
      for (char& letter : quality) letter = "@+>I#"[random() % 5];
      if (fastq) {
        text += "@r" + end + bases + end + "+" + end + quality + end;
        expected.emplace_back(bases, quality);
      } else {
        text += ">r" + end;
        for (std::size_t at = 0; at < bases.size(); at += 7) text += bases.substr(at, 7) + end;
        expected.emplace_back(bases, "");
      }
    }
    ASSERT_EQ(parse(text, fastq ? text_format::fastq : text_format::fasta, 1 + random() % 100),
              expected);
  }
}

TEST(SequenceReader, ReportsARecordWithoutQuality) {
  EXPECT_EQ(problem_of("@a\nAC\n+\nII\n@b\nACGT\n@c\nACGT\n+\nIIII\n"),
            "reads:7: a record without quality: the next one starts here, with \"@c\", before a "
            "line with +");
  EXPECT_EQ(problem_of("@a\nAC\n+\nII\n@b\nACGT\n"),
            "reads:6: a record without quality: the file ends after its sequence");
  EXPECT_EQ(problem_of("@a\nAC\n+\nII\n@b\nACGT\n+"),
            "reads:7: a record without quality: the file ends after its +");
  EXPECT_EQ(problem_of("@a\nAC\n+\nII\n@b"),
            "reads:5: a record without sequence and quality: the file ends here");
}

TEST(SequenceReader, ReportsAQualityOfAnotherLengthAtEveryCut) {
  for (std::size_t block = 1; block < 40; ++block) {
    EXPECT_EQ(problem_of("@a\nAC\n+\nII\n@b\nACGT\n+\nIII\n@c\nA\n+\nI\n", block),
              "reads:8: the quality has 3 letters, the sequence 4");
  }
}

TEST(SequenceReader, ReportsARecordThatDoesNotStartLikeOne) {
  EXPECT_EQ(problem_of("@a\nAC\n+\nII\nb\nAC\n+\nII\n"),
            "reads:5: a FASTQ record starts with \"b\", not with @");
  EXPECT_EQ(problem_of("@a\nAC\n+\nII\n>b\nAC\n"),
            "reads:5: a FASTQ record starts with \">b\", not with @");
  EXPECT_EQ(problem_of(">a\nAC\n@b\nAC\n+\nII\n"),
            "reads:3: a FASTQ record, \"@b\", in a FASTA file");
}

TEST(SequenceReader, ReportsWhatIsNeitherFastaNorFastq) {
  EXPECT_EQ(problem_of("chr1\t100\t200\n"),
            "reads:1: this is neither FASTA nor FASTQ: it starts with \"chr1.100.200\", not with "
            "> or @");
  EXPECT_EQ(problem_of("\n\nchr1\n"),
            "reads:3: this is neither FASTA nor FASTQ: it starts with \"chr1\", not with > or @");
  EXPECT_EQ(problem_of(""), "none");
  EXPECT_EQ(problem_of("@HD\tVN:1.6\n"),
            "reads:1: this is neither FASTA nor FASTQ: it starts with \"@HD.VN:1.6\"");
}

TEST(SequenceReader, CountsTheLinesBeforeATextFromTheMiddleOfAFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "sequence_reader_lines.fastq";
  const std::string before = "@a\nAC\n+\nII\n@b\nAC\n+\nII\n";
  std::ofstream(path) << before << "@c\nAC\n+\nI\n";
  record_parser parser(text_format::fastq,
                       {.file = path.string(), .first_line = 0, .offset = before.size()});
  try {
    const auto ignore = [](const record&) {};
    parser.feed("@c\nAC\n+\nI\n", ignore);
    parser.finish(ignore);
    FAIL() << "nothing was thrown";
  } catch (const error& problem) {
    EXPECT_EQ(problem.problem(), path.string() + ":12: the quality has 1 letters, the sequence 2");
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace acre::genome
