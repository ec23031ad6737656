// SPDX-License-Identifier: BSD-3-Clause
// acre-kmers as users run it.
#include <apps/genome/kmer.hpp>
#include <apps/genome/mtdna_reads_test.hpp>
#include <apps/program/job_test.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using acre::base_test::contents;
using acre::genome::mtdna;
using acre::genome::mtdna_reads;
using acre::program_test::bin;
using acre::program_test::job_sizes;
using acre::program_test::outcome;

namespace fs = std::filesystem;

class KmersProgram : public acre::program_test::job_test {
 protected:
  KmersProgram() : job_test("acre-kmers") {}
};

TEST_F(KmersProgram, CountsTheSameOnAnyNumberOfRanks) {
  const std::string expected = contents(mtdna + "_k31.histo");
  ASSERT_FALSE(expected.empty());
  for (const unsigned ranks : job_sizes) {
    const outcome done = run(ranks, "--k 31 " + mtdna_reads);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(done.out == expected) << ranks << " ranks";
    EXPECT_NE(done.err.find("1,089,046 31-mers: 64,267 distinct"), std::string::npos) << done.err;
  }
}

#if ACRE_TEST_NETWORK
TEST_F(KmersProgram, CountsTheSameOverTheNetwork) {
  const std::string expected = contents(mtdna + "_k31.histo");
  for (const char* nodes : {"ACRE_RANKS_PER_NODE=1", "ACRE_RANKS_PER_NODE=2"}) {
    const outcome done = run(4, "--k 31 " + mtdna_reads, nodes);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(done.out == expected) << nodes;
  }
}
#endif

std::string without_ones(const std::string& histogram) {
  EXPECT_TRUE(histogram.starts_with("1 "));
  return histogram.substr(histogram.find('\n') + 1);
}

TEST_F(KmersProgram, CountsRepeatedKmersExactlyWithABloomFilter) {
  const auto expect = [&](unsigned k, unsigned ranks, const std::string& nodes = "") {
    const std::string kmers = std::to_string(k);
    const outcome done = run(ranks, "--bloom --k " + kmers + " " + mtdna_reads, nodes);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(done.out == without_ones(contents(mtdna + "_k" + kmers + ".histo")))
        << "k " << k << ", " << ranks << " ranks " << nodes;
  };
  for (const unsigned ranks : job_sizes) expect(31, ranks);
  expect(21, 2);
#if ACRE_TEST_NETWORK
  expect(31, 4, "ACRE_RANKS_PER_NODE=1");
  expect(21, 4, "ACRE_RANKS_PER_NODE=2");
#endif
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const outcome done = run(2, "--bloom " + path("pipe"));
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("twice"), std::string::npos) << done.err;
}

TEST_F(KmersProgram, ReadsPlainAndPackedFilesOfBothKindsTogether) {
  const std::string fastq = path("reads.fastq");
  ASSERT_EQ(std::system(("zcat " + mtdna_reads + " > " + fastq).c_str()), 0);
  const std::string fasta = path("reads.fasta");
  ASSERT_EQ(std::system(("awk 'NR % 4 == 1 {print \">\" substr($0, 2)} NR % 4 == 2' " + fastq +
                         " > " + fasta)
                            .c_str()),
            0);
  std::istringstream once(contents(mtdna + "_k31.histo"));
  std::string thrice;
  for (std::uint64_t occurrences = 0, number = 0; once >> occurrences >> number;) {
    thrice += std::to_string(3 * occurrences) + " " + std::to_string(number) + "\n";
  }
  for (const unsigned ranks : {1U, 3U}) {
    const outcome done = run(ranks, "--k 31 " + fastq + " " + mtdna_reads + " " + fasta);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(done.out == thrice) << ranks << " ranks";
  }
}

TEST_F(KmersProgram, CountsWordsOfEveryLength) {
  std::string letters;
  for (unsigned i = 0, state = 1; i < 500; ++i, state = state * 1'103'515'245 + 12'345) {
    letters += "ACGTACGTACGTNacgt"[(state >> 16) % 17];
  }
  const std::string file = write("random.fasta", ">random\n" + letters + "\n");
  for (const unsigned k : {1U, 2U, 12U, 13U, 31U, 32U, 63U}) {
    std::map<std::string, unsigned> counts;
    for (std::size_t i = 0; i + k <= letters.size(); ++i) {
      std::string word = letters.substr(i, k);
      if (word.find('N') != std::string::npos) continue;
      std::transform(word.begin(), word.end(), word.begin(),
                     [](char c) { return static_cast<char>(c & ~0x20); });
      std::string other(word.rbegin(), word.rend());
      for (char& c : other) c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
      ++counts[std::min(word, other)];
    }
    std::string expected;
    for (const auto& [word, count] : counts) expected += word + " " + std::to_string(count) + "\n";
    const outcome done =
        run(2, "--k " + std::to_string(k) + " --counts " + path("counts") + " " + file);
    if (counts.empty()) {
      EXPECT_NE(done.status, 0);
      continue;
    }
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(contents(path("counts")), expected) << "k " << k;
  }
}

TEST_F(KmersProgram, ReportsTheSameTotalsOnAnyNumberOfRanks) {
  std::string fasta;
  std::uint64_t letters = 0;
  std::uint64_t records = 0;
  std::uint64_t state = 1;
  for (const unsigned length : {3U, 20U, 1U, 40U, 30U, 31U, 1'200'000U, 5U, 100U, 7U}) {
    fasta += ">record\n";
    for (unsigned i = 0; i < length; ++i) {
      state = state * 6'364'136'223'846'793'005U + 1;
      fasta += "ACGT"[state >> 62];
      if (i % 70 == 69) fasta += '\n';
    }
    fasta += '\n';
    letters += length;
    ++records;
  }
  std::string fastq;
  for (unsigned i = 0; i < 20'000; ++i) {
    const std::string read = fasta.substr(200 + i, i % 60 + 1);
    if (read.find_first_not_of("ACGT") != std::string::npos) continue;
    fastq += "@r\n" + read + "\n+\n" + std::string(read.size(), 'I') + "\n";
    letters += read.size();
    ++records;
  }
  const std::string files = write("some.fasta", fasta) + " " + write("some.fastq", fastq);
  std::string first;
  for (const unsigned ranks : job_sizes) {
    const outcome done = run(ranks, "--k 31 " + files);
    EXPECT_EQ(done.status, 0) << done.err;
    const std::string line = done.err.substr(0, done.err.find('\n'));
    if (first.empty()) first = line;
    EXPECT_EQ(line, first) << ranks << " ranks";
  }
  std::erase(first, ',');
  EXPECT_TRUE(first.starts_with(std::to_string(records) + " records " + std::to_string(letters) +
                                " letters "))
      << first;
}

TEST_F(KmersProgram, SaysWhatIsWrongWithAFile) {
  using acre::genome::wrong_input;
  std::vector cases = acre::genome::wrong_reads(folder());
  cases.insert(cases.end(), {wrong_input{write("tiny.fasta", ">a\nACGT\n"), "31"},
                             wrong_input{write("headers.fasta", ">a\n>b\n"), "no sequence"}});
  for (const auto& [file, what] : cases) {
    for (const unsigned ranks : {1U, 3U}) {
      const outcome done = run(ranks, "--k 31 --histogram " + path("histogram") + " --counts " +
                                          path("counts") + " " + file);
      EXPECT_EQ(done.status, 1) << file << done.err;
      EXPECT_NE(done.err.find(what), std::string::npos) << file << "\n" << done.err;
      EXPECT_EQ(done.out, "") << file;
      EXPECT_FALSE(fs::exists(path("histogram"))) << file;
      EXPECT_FALSE(fs::exists(path("counts"))) << file;
    }
  }
}

std::string some_reads(const std::string& letters, unsigned records, std::size_t width) {
  std::string text;
  std::uint64_t state = records;
  for (unsigned i = 0; i < records; ++i) {
    std::string bases(20 + i % 90, ' ');
    std::string quality(bases);
    const auto next = [&] { return (state = state * 6'364'136'223'846'793'005U + 1) >> 33; };
    for (char& each : bases) each = "ACGT"[next() % 4];
    for (char& each : quality) each = letters[next() % letters.size()];
    const auto lines = [&](const std::string& whole) {
      for (std::size_t at = 0; at < whole.size(); at += width) {
        text += whole.substr(at, width) + "\n";
      }
    };
    text += "@r\n";
    lines(bases);
    text += "+\n";
    lines(quality);
  }
  return text;
}

TEST_F(KmersProgram, ReadsStandardInputAndDescriptorsOnRankZero) {
  const std::string file = write("reads.fastq", some_reads("I+", 200, 1000));
  const std::string expected = run(1, "--k 11 " + file).out;
  ASSERT_FALSE(expected.empty());
  const auto expect = [&](unsigned ranks, const std::string& input,
                          const std::string& before = "") {
    const outcome done = run(ranks, "--k 11 " + input, before);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(done.out == expected) << ranks << " ranks, " << before << input << done.err;
  };
  for (const unsigned ranks : job_sizes) expect(ranks, "/dev/stdin < " + file);
  expect(3, "-", "cat " + file + " |");
  expect(2, "/dev/fd/9 9< " + file);
  expect(2, "--histogram - - < " + file);
#if ACRE_TEST_NETWORK
  expect(3, "/dev/stdin", "cat " + file + " | ACRE_RANKS_PER_NODE=1");
#endif
  // In sequence: more than a pipe buffers.
  const std::string large = write("large.fastq", some_reads("I+", 1000, 1000));
  ASSERT_EQ(::mkfifo(path("first").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(path("second").c_str(), 0600), 0);
  const outcome files = run(1, "--k 11 " + large + " " + file);
  const outcome pipes = run(
      2, "--k 11 " + path("first") + " " + path("second"),
      "(cat " + large + " > " + path("first") + "; cat " + file + " > " + path("second") + ") &");
  EXPECT_TRUE(pipes.out == files.out) << pipes.err;

  const outcome twice = run(2, "- /dev/stdin", "cat " + file + " |");
  EXPECT_EQ(twice.status, 1);
  EXPECT_NE(twice.err.find("are the same pipe"), std::string::npos) << twice.err;
  const std::string alone = bin + "/acre-kmers --k 11 --histogram " + path("alone") + " ";
  EXPECT_EQ(std::system((alone + file + " 2>&-").c_str()), 0);
  EXPECT_TRUE(contents(path("alone")) == expected);
  EXPECT_EQ(WEXITSTATUS(std::system((alone + "- <&- 2> " + path("err")).c_str())), 1);
  const std::string closed = contents(path("err"));
  EXPECT_NE(closed.find("standard input: Bad file descriptor"), std::string::npos) << closed;
  EXPECT_EQ(run(2, "--bloom --k 11 - < " + file).out, run(2, "--bloom --k 11 " + file).out);
}

TEST_F(KmersProgram, ReadsTheSameOfUnusualFilesOnAnyNumberOfRanks) {
  const std::string plain = some_reads("@+>I", 300, 1000);
  const std::string expected = run(1, "--k 11 " + write("plain.fq", plain)).out;
  ASSERT_FALSE(expected.empty());
  const std::string wrapped = some_reads("@+>I", 300, 17);
  std::string blank;
  for (const char each : wrapped) {
    if (each == '@' && blank.ends_with('\n') && blank.size() % 3 == 0) blank += '\n';
    blank += each;
  }
  std::string returns;
  for (const char each : wrapped)
    returns += each == '\n' ? std::string("\r\n") : std::string(1, each);
  for (const std::string& text : {wrapped, returns, "\xef\xbb\xbf" + wrapped, "\n\n" + plain}) {
    const std::string file = write("unusual.fq", text);
    for (const unsigned ranks : {1U, 2U, 7U}) {
      const outcome done = run(ranks, "--k 11 " + file + " " + write("empty.fq", ""));
      EXPECT_TRUE(done.out == expected) << ranks << " ranks: " << done.err << text.substr(0, 300);
      EXPECT_NE(done.err.find("empty.fq: the file is empty and is ignored"), std::string::npos);
    }
  }
}

TEST_F(KmersProgram, WritesCountsInOneOrderOnAnyNumberOfRanks) {
  const std::string file = write("reads.fastq", some_reads("I", 300, 1000));
  std::string first;
  for (const unsigned ranks : job_sizes) {
    EXPECT_EQ(run(ranks, "--k 33 --counts " + path("counts") + " " + file).status, 0);
    if (first.empty()) first = contents(path("counts"));
    EXPECT_TRUE(contents(path("counts")) == first) << ranks << " ranks";
  }
  std::istringstream lines(first);
  std::string last;
  for (std::string line; std::getline(lines, line); last = line) ASSERT_LT(last, line);
  EXPECT_EQ(last.size(), 35U);
}

TEST_F(KmersProgram, WritesOverNoInput) {
  const std::string text = some_reads("I", 10, 1000);
  const std::string file = write("reads.fastq", text);
  fs::create_symlink(file, path("link"));
  fs::create_hard_link(file, path("hard"));
  for (const std::string& name : {file, path("link"), path("hard"), path("./reads.fastq")}) {
    for (const char* option : {"--histogram ", "--counts "}) {
      const outcome done =
          run(2, "--k 11 " + std::string(option) + name + " " + mtdna_reads + " " + file);
      EXPECT_EQ(done.status, 2);
      EXPECT_NE(done.err.find(option + name), std::string::npos) << done.err;
      EXPECT_EQ(contents(file), text);
    }
  }
  // The launcher writes the ranks' output.
  const std::string appended = bin + "/acre run -n 2 " + bin + "/acre-kmers --k 11 " + file +
                               " >> " + path("hard") + " 2> " + path("err");
  EXPECT_EQ(WEXITSTATUS(std::system(appended.c_str())), 2);
  EXPECT_EQ(contents(file), text);
  // Output piped by a rank bypasses the launcher.
  const std::string piped = bin + "/acre run -n 2 sh -c '" + bin + "/acre-kmers --k 11 " + file +
                            " | cat > " + path("piped") + "' >> " + path("hard") + " 2> " +
                            path("err");
  EXPECT_EQ(WEXITSTATUS(std::system(piped.c_str())), 0) << contents(path("err"));
  EXPECT_NE(contents(path("piped")), "") << contents(path("err"));
  EXPECT_EQ(contents(file), text);
  EXPECT_EQ(run(2, "--histogram x --counts ./x " + file).status, 2);
  EXPECT_EQ(run(2, "--counts - " + file).status, 2) << "the histogram goes there, too";
  // As from an unset shell variable.
  const outcome unset = run(1, "--counts '' " + file);
  EXPECT_EQ(unset.status, 2);
  EXPECT_TRUE(unset.err.starts_with("--counts: the value is empty")) << unset.err;
}

TEST_F(KmersProgram, RefusesProteinAndRna) {
  const outcome protein = run(3, "--k 2 " + write("a.fa", ">p\nMKVLAAGIVALLAACGTACGTERTYIPL\n"));
  EXPECT_EQ(protein.status, 1);
  EXPECT_NE(protein.err.find("a.fa: this is protein, not DNA"), std::string::npos) << protein.err;
  const outcome rna = run(3, "--k 2 " + write("b.fa", ">p\nACGUACGUACGAAA\n"));
  EXPECT_EQ(rna.status, 1);
  EXPECT_NE(rna.err.find("b.fa: this is RNA, not DNA"), std::string::npos) << rna.err;
  const outcome few = run(3, "--bloom --k 2 " + write("c.fa", ">p\n" + std::string(100, 'A') + "U" +
                                                                  std::string(9, 'C')));
  EXPECT_EQ(few.status, 0);
  const std::size_t warning = few.err.find("c.fa: letters U (1 of them)");
  EXPECT_NE(warning, std::string::npos) << few.err;
  EXPECT_EQ(few.err.find("letters U", warning + 10), std::string::npos) << few.err;
}

TEST_F(KmersProgram, RejectsWordsThatAreTooLong) {
  const outcome done = run(2, "--k 64 " + mtdna_reads);
  EXPECT_EQ(done.status, 2);
  EXPECT_NE(done.err.find("63"), std::string::npos) << done.err;
}

TEST_F(KmersProgram, DrawsThePictureOnRequest) {
  const outcome done =
      run(2, "--k 31 --spectrum --histogram " + path("histogram") + " " + mtdna_reads);
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(contents(path("histogram")), contents(mtdna + "_k31.histo"));
  EXPECT_GT(std::count(done.err.begin(), done.err.end(), '\n'), 10) << done.err;
}

}  // namespace
