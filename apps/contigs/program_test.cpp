// SPDX-License-Identifier: BSD-3-Clause
// acre-contigs as users run it.
#include <apps/genome/inflate.hpp>
#include <apps/genome/input_file.hpp>
#include <apps/genome/mtdna_reads_test.hpp>
#include <apps/program/job_test.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using acre::base_test::contents;
using acre::genome::mtdna_reads;
using acre::program_test::job_sizes;
using acre::program_test::outcome;

namespace fs = std::filesystem;

std::string unpacked(const std::string& path) {
  acre::genome::input_file file(path);
  acre::genome::inflater text([&](std::span<char> into) { return file.read(into); });
  std::string all(std::size_t{1} << 20, '\0');
  all.resize(text.read(all));
  return all;
}

std::string sequences(const fs::path& path) {
  std::istringstream file(contents(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('>')) lines.push_back(line);
  }
  std::ranges::sort(lines);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

class ContigsProgram : public acre::program_test::job_test {
 protected:
  ContigsProgram() : job_test("acre-contigs") {}

  [[nodiscard]] outcome run(unsigned ranks, const std::string& arguments,
                            const std::string& settings = "") const {
    return run_to(path("contigs.fasta"), ranks, arguments, settings);
  }
  [[nodiscard]] outcome run_to(const std::string& output, unsigned ranks,
                               const std::string& arguments,
                               const std::string& settings = "") const {
    return job_test::run(ranks, "-o " + output + " " + arguments, settings);
  }

  void expect_set(const std::string& name, unsigned ranks, const std::string& options,
                  const std::string& settings = "", const std::string& reads = mtdna_reads) {
    const std::string expected = unpacked(acre::genome::mtdna + "_" + name + ".seqs.gz");
    ASSERT_FALSE(expected.empty());
    const outcome done = run(ranks, options + " " + reads, settings);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(sequences(path("contigs.fasta")) == expected)
        << name << " on " << ranks << " ranks " << settings << "\n"
        << done.err;
  }
};

TEST_F(ContigsProgram, FindsTheSameContigsOnAnyNumberOfRanks) {
  std::string first;
  for (const unsigned ranks : job_sizes) {
    expect_set("k31.uu", ranks, "--k 31");
    const std::string file = contents(path("contigs.fasta"));
    if (first.empty()) first = file;
    EXPECT_TRUE(file == first) << "the same bytes";
    expect_set("k21.uu", ranks, "--k 21");
    expect_set("k31_d10.uu", ranks, "--min-depth 10");
    expect_set("k21.unitigs", ranks, "--k 21 --unitigs");
    expect_set("k31.unitigs", ranks, "--unitigs");
  }
  EXPECT_TRUE(first.starts_with(">contig_1 length=11387\n")) << first.substr(0, 40);
}

#if ACRE_TEST_NETWORK
TEST_F(ContigsProgram, FindsTheSameContigsOverTheNetwork) {
  expect_set("k31.uu", 4, "", "ACRE_RANKS_PER_NODE=1");
  expect_set("k31.unitigs", 4, "--unitigs", "ACRE_RANKS_PER_NODE=1");
  expect_set("k31_d10.uu", 4, "--min-depth 10", "ACRE_RANKS_PER_NODE=2");
}
#endif

TEST_F(ContigsProgram, ReportsItsNumbers) {
  const outcome done = run(2, "--min-depth 10 " + mtdna_reads);
  EXPECT_NE(done.err.find("8 contigs, 16,820 bases, N50 16,598, longest 16,598"), std::string::npos)
      << done.err;
}

TEST_F(ContigsProgram, ReadsStandardInputAndWritesStandardOutput) {
  expect_set("k31.uu", 3, "--k 31 - < ");
  const outcome list = run(3, "- < " + write("list", "AACCA\tGG\nACCAG\tAC\nTTTTT\tFX\n"));
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(contents(path("contigs.fasta")), ">contig_1 length=6\nAACCAG\n");
  EXPECT_EQ(run_to("-", 2, path("list") + " > " + path("out")).status, 0);
  EXPECT_EQ(contents(path("out")), ">contig_1 length=6\nAACCAG\n");
}

TEST_F(ContigsProgram, WritesOverNoInput) {
  const std::string list = write("list", "AACCA\tGG\n");
  fs::create_symlink(list, path("link"));
  const outcome done = run_to(path("link"), 2, list);
  EXPECT_EQ(done.status, 2);
  EXPECT_NE(done.err.find("--output " + path("link")), std::string::npos) << done.err;
  EXPECT_EQ(contents(list), "AACCA\tGG\n");
}

TEST_F(ContigsProgram, AsksForTheOffsetOfOldQualities) {
  const auto reads_with = [&](char low, char high) {
    std::string text;
    for (unsigned i = 0; i < 8; ++i) {
      text += "@r\nGATTACAGGCTTAACCTGAT\n+\n" + std::string(10, high) + std::string(10, low) + "\n";
    }
    return text;
  };
  const std::string old = write("old.fq", reads_with('B', 'h'));
  const outcome unsaid = run(3, "--k 5 " + old);
  EXPECT_EQ(unsaid.status, 1);
  EXPECT_NE(unsaid.err.find("use --phred 64"), std::string::npos) << unsaid.err;
  EXPECT_EQ(run(3, "--k 5 --phred 64 " + old).status, 0);
  const std::string of_64 = contents(path("contigs.fasta"));
  EXPECT_EQ(run(2, "--k 5 " + write("new.fq", reads_with('#', 'I'))).status, 0);
  EXPECT_EQ(contents(path("contigs.fasta")), of_64);
  EXPECT_EQ(run(2, "--k 5 --phred 33 " + old).status, 0);
  EXPECT_NE(contents(path("contigs.fasta")), of_64) << "all are believed";
  EXPECT_EQ(run(2, "--k 5 --phred 64 " + path("new.fq")).status, 1);
  for (const char* code : {"200", "32"}) {
    const auto letter = static_cast<char>(std::stoi(code));
    const outcome damaged = run(2, "--k 5 " + write("damaged.fq", reads_with('I', letter)));
    EXPECT_EQ(damaged.status, 1);
    EXPECT_NE(damaged.err.find("has the code " + std::string(code)), std::string::npos)
        << damaged.err;
  }
}

TEST_F(ContigsProgram, ReadsListsOfKmers) {
  const std::string list = write("list", "AACCA\tGG\nACCAG\tAC\nTTTTT\tFX\n");
  const outcome done = run(2, list);
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(contents(path("contigs.fasta")), ">contig_1 length=6\nAACCAG\n");
}

TEST_F(ContigsProgram, AssemblesItsOwnListLikeTheReads) {
  std::string first;
  for (const unsigned ranks : {1U, 3U}) {
    const outcome made = run_to(path("list"), ranks, "--list " + mtdna_reads);
    ASSERT_EQ(made.status, 0) << made.err;
    const std::string list = contents(path("list"));
    if (first.empty()) first = list;
    EXPECT_TRUE(list == first) << "the same bytes";
  }
  EXPECT_NE(first.find("F\n"), std::string::npos);
  EXPECT_NE(first.find("X\n"), std::string::npos);
  expect_set("k31.uu", 2, "--ends drop", "", path("list"));
  EXPECT_NE(run(2, "--list " + path("list")).status, 0);
  EXPECT_EQ(run(2, "--list --unitigs " + mtdna_reads).status, 2);
}

TEST_F(ContigsProgram, EndsContigsWhereAClosedListDoes) {
  const std::string list =
      write("list", "AACCA\tFG\nACCAG\tAT\nCCAGT\tAX\nGGTTT\tFC\nGAAAC\tXC\nTTTTG\tXF\n");
  const std::string expected =
      ">contig_1 length=7\nAACCAGT\n>contig_2 length=6\nGAAACC\n>contig_3 length=5\nCAAAA\n";
  for (const unsigned ranks : job_sizes) {
    const outcome done = run(ranks, list);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(contents(path("contigs.fasta")), expected) << ranks;
  }
  EXPECT_EQ(run(2, "--ends drop " + list).status, 0);
  EXPECT_EQ(contents(path("contigs.fasta")), ">contig_1 length=5\nACCAG\n");
}

TEST_F(ContigsProgram, JoinsTheEndsOfAnOpenListWhenToldTo) {
  const std::string list = write("list", "AACCA\tGG\nACCAG\tAF\n");
  const outcome by_itself = run(2, list);
  EXPECT_EQ(contents(path("contigs.fasta")), ">contig_1 length=5\nAACCA\n");
  EXPECT_NE(by_itself.err.find("left out (see --ends)"), std::string::npos) << by_itself.err;
  EXPECT_EQ(run(2, "--ends join " + list).status, 0);
  EXPECT_EQ(contents(path("contigs.fasta")), ">contig_1 length=6\nAACCAG\n");
  EXPECT_NE(run(2, "--ends keep " + list).status, 0);
}

TEST_F(ContigsProgram, SaysWhatIsWrong) {
  const std::string list = write("list", "AACCA\tGG\n");
  using acre::genome::wrong_input;
  std::vector cases = acre::genome::wrong_reads(folder());
  cases.insert(cases.end(),
               {wrong_input{write("tiny.fasta", ">a\nACGT\n"), "contains no 31-mer"},
                wrong_input{"--k 3 " + write("once.fasta", ">a\nACGT\n"), "occurs 4 times"},
                wrong_input{"--k 4 --unitigs " + write("twice.fasta", ">a\nACGGT\n"),
                            "no 4-mer occurs twice"},
                wrong_input{"--unitigs " + list, "list"}, wrong_input{"--k 6 " + list, "5 letters"},
                wrong_input{list + " " + mtdna_reads, "is a list of k-mers, but"},
                wrong_input{write("forks", "AACCA\tFG\n"), "a base on both sides"},
                wrong_input{write("other.k", "AACCA\tGG\nAACC\tGG\n"), "other.k:2:"}});
  for (const auto& [arguments, what] : cases) {
    for (const unsigned ranks : {1U, 3U}) {
      const outcome done = run(ranks, arguments);
      EXPECT_NE(done.status, 0) << arguments << done.err;
      EXPECT_NE(done.err.find(what), std::string::npos) << arguments << "\n" << done.err;
      EXPECT_FALSE(fs::exists(path("contigs.fasta"))) << arguments;
    }
  }
}

TEST_F(ContigsProgram, SaysBeforeItReadsThatItCannotWrite) {
  fs::create_directory(path("contigs.fasta"));
  const outcome done = run(2, path("missing.fastq"));
  EXPECT_NE(done.status, 0);
  EXPECT_NE(done.err.find("contigs.fasta"), std::string::npos) << done.err;
}

TEST_F(ContigsProgram, RejectsNumbersThatMakeNoSense) {
  for (const char* wrong : {"--k 64 ", "--k 0 ", "--min-depth 0 ", "--min-depth 128 "}) {
    EXPECT_NE(run(2, wrong + mtdna_reads).status, 0) << wrong;
  }
}

}  // namespace
