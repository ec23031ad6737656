// acre-kmers: counts the k-mers of sequencing reads on all ranks of a job.
#include <CLI/CLI.hpp>
#include <apps/genome/program.hpp>
#include <apps/genome/terminal.hpp>
#include <apps/kmers/count.hpp>
#include <apps/kmers/spectrum.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace acre::kmers;

struct request {
  unsigned k = 31;
  std::string histogram;
  std::string counts;
  bool spectrum = false;
  bool bloom = false;
  std::vector<std::string> files;
};

void define(CLI::App& program, request& wanted) {
  program.add_option("-k,--k", wanted.k, "letters of a k-mer")
      ->capture_default_str()
      ->check(CLI::Range(1U, longest_kmer));
  program.add_option("--histogram", wanted.histogram,
                     "write the lines \"occurrences number\" to FILE (default: standard output)");
  program.add_option("--counts", wanted.counts, "write the lines \"KMER occurrences\" to FILE");
  program.add_flag("--spectrum", wanted.spectrum, "draw the histogram on standard error");
  program.add_flag("--bloom", wanted.bloom,
                   "count only k-mers that occur at least twice, in less memory and two passes;\n"
                   "the histogram then has no line for 1");
  program.add_option("files", wanted.files, "FASTA or FASTQ, plain or gzip")->required();
  program.footer(
      "K-mers are counted with their reverse complements; windows with anything but\n"
      "ACGT are skipped. Run it with: acre run -n 4 acre-kmers reads.fastq.gz");
}

/// All ranks look at all files, and come to the same list; what is wrong with one is said once,
/// for the first rank that says it ends the job.
std::vector<input> inspect_all(const std::vector<std::string>& files) {
  std::vector<input> inputs;
  for (const std::string& file : files) inputs.push_back(inspect(file));
  return inputs;
}

void check_twice_readable(const std::vector<input>& inputs) {
  for (const input& each : inputs) {
    if (each.bytes != 0) continue;
    throw acre::error("acre-kmers",
                      "--bloom reads its input twice, and a pipe can be read once: " + each.path,
                      "write it to a file first");
  }
}

void write_histogram(const histogram& counts, const std::string& path) {
  const std::string text = counts.text();
  if (path.empty()) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
      throw acre::error("acre-kmers", "the histogram cannot be written to standard output");
    }
    return;
  }
  output_file file(path);
  file.write(text);
  file.commit();
}

void report(const request& wanted, const totals& all, const histogram& counts, double seconds) {
  const std::string found =
      wanted.bloom ? fmt::format("{} distinct that occur twice or more", grouped(counts.distinct()))
                   : fmt::format("{} distinct, {} of them once", grouped(counts.distinct()),
                                 grouped(counts.number(1)));
  fmt::print(stderr,
             "{} records, {} letters, {} {}-mers: {}\n"
             "{:.2f} s on {} ranks ({}), {:.1f} million k-mers a second\n",
             grouped(all.records), grouped(all.letters), grouped(all.kmers), wanted.k, found,
             seconds, acre::size(), acre::conduit_name(),
             static_cast<double>(all.kmers) / 1e6 / seconds);
}

template <std::size_t Words>
void count_and_write(const request& wanted, std::vector<input> inputs) {
  const auto begin = std::chrono::steady_clock::now();
  counter<Words> counting(std::move(inputs), wanted.k,
                          wanted.bloom ? counted_kmers::repeated : counted_kmers::all);
  const totals all = counting.count();
  if (all.kmers == 0) {
    if (acre::rank() == 0) {
      const std::string why = all.longest < wanted.k
                                  ? fmt::format("its longest record has {} letters", all.longest)
                                  : fmt::format("no {} letters in a row are all ACGT", wanted.k);
      throw acre::error("acre-kmers",
                        fmt::format("there is no {}-mer in the input: {}", wanted.k, why),
                        "choose a smaller --k");
    }
    acre::barrier();
    return;
  }
  const histogram counts = counting.make_histogram();
  if (!wanted.counts.empty()) counting.write_counts(wanted.counts);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (acre::rank() == 0) {
    write_histogram(counts, wanted.histogram);
    report(wanted, all, counts, spent.count());
    if (wanted.spectrum) {
      const std::string drawn =
          draw_spectrum(counts, {.columns = terminal_columns(), .letters = terminal_glyphs()});
      std::fwrite(drawn.data(), 1, drawn.size(), stderr);
    }
  }
  acre::barrier();
}

void run(const request& wanted) {
  std::vector<input> inputs = inspect_all(wanted.files);
  if (wanted.bloom) check_twice_readable(inputs);
  with_words_for(wanted.k,
                 [&]<std::size_t Words>() { count_and_write<Words>(wanted, std::move(inputs)); });
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  CLI::App program{"Counts the k-mers of sequencing reads.", "acre-kmers"};
  define(program, wanted);
  return run_program(program, argc, argv, [&] { run(wanted); });
}
