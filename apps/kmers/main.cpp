// SPDX-License-Identifier: BSD-3-Clause
// acre-kmers: counts k-mers of sequencing reads on all ranks.
#include <apps/genome/kmer.hpp>
#include <apps/kmers/counting.hpp>
#include <apps/program/program.hpp>
#include <tools/command_line/files.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace acre::kmers;
using acre::command_line::clash_of;
using acre::command_line::named_file;

void define(acre::command_line::command& program, request& wanted) {
  program.add("-k,--k", wanted.k, "count k-mers of K letters")
      .shown_default()
      .within(1U, acre::genome::longest_kmer);
  program
      .add("--histogram", wanted.histogram,
           "write the lines \"occurrences number\" to FILE (default: -, standard output)")
      .type_name("FILE");
  program
      .add("--high", wanted.high,
           "give counts up to N a line of their own in the histogram; one more line has all "
           "others,\n"
           "as in jellyfish histo")
      .shown_default()
      .within(std::uint64_t{1}, std::uint64_t{1} << 62);
  program.add("--counts", wanted.counts, "write the lines \"KMER occurrences\" to FILE, sorted")
      .type_name("FILE");
  program.add("--spectrum", wanted.spectrum, "draw the histogram on standard error");
  program.add("--bloom", wanted.bloom,
              "count only k-mers that occur at least twice, in less memory and two passes;\n"
              "the histogram then has no line for 1");
  program.add("files", wanted.files, "read FASTA or FASTQ, plain or gzip; - is standard input")
      .required();
  program.refuse([&] {
    std::vector<named_file> inputs;
    for (const std::string& file : wanted.files) inputs.push_back({"the input", file});
    return clash_of({{"--histogram", wanted.histogram}, {"--counts", wanted.counts}}, inputs);
  });
  program.footer(
      "K-mers are counted with their reverse complements; windows with letters other than\n"
      "ACGT are skipped. Run it with: acre run -n 4 acre-kmers reads.fastq.gz");
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{"Counts the k-mers of sequencing reads.", "acre-kmers"};
  define(program, wanted);
  return acre::program::run(program, argc, argv, [&] { count_files(wanted); });
}
