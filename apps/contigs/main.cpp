// SPDX-License-Identifier: BSD-3-Clause
// acre-contigs: joins k-mers of sequencing reads to contigs.
#include <apps/contigs/assembly.hpp>
#include <apps/contigs/kmer_list.hpp>
#include <apps/genome/output_file.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>
#include <tools/command_line/files.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre::contigs;

struct request {
  std::optional<unsigned> k;
  unsigned min_depth = 4;
  unsigned min_quality = 20;
  unsigned phred = 0;
  bool unitigs = false;
  bool list = false;
  list_ends ends = list_ends::found;
  std::string output;
  std::vector<std::string> files;
};

void define(acre::command_line::command& program, request& wanted) {
  program
      .add("-k,--k", wanted.k, "use k-mers of K letters (default: 31, or the length in the list)")
      .within(1U, longest_kmer);
  program
      .add("-d,--min-depth", wanted.min_depth,
           "accept a base next to a k-mer if it occurs at least this often")
      .shown_default()
      .within(1U, most_depth);
  program
      .add("-q,--min-quality", wanted.min_quality,
           "count a base next to a k-mer if its quality (Phred) is at least this")
      .shown_default()
      .within(0U, 93U);
  program
      .add_choice(
          "--phred", {"33", "64"},
          [&](std::size_t place) { wanted.phred = place == 0 ? 33U : 64U; },
          "use this offset of the letters of qualities (default: 33; Illumina before 2011: 64)")
      .type_name("NUMBER");
  program.add("--unitigs", wanted.unitigs,
              "join k-mers that occur at least twice, if each is the other's only neighbour, as "
              "bcalm does");
  program.add("--list", wanted.list,
              "write the list of k-mers that occur at least twice, with extensions, in place of "
              "contigs");
  program
      .add_choice(
          "--ends", {"join", "drop"},
          [&](std::size_t place) {
            wanted.ends = place == 0 ? list_ends::joined : list_ends::dropped;
          },
          "for a list: use k-mers without a base on one side as ends of contigs (join), or omit\n"
          "them (drop); default: join if each base leads to a k-mer that leads back")
      .type_name("NAME");
  program
      .add("-o,--output", wanted.output,
           "write the contigs to FILE, as FASTA; - is standard output")
      .type_name("FILE")
      .required();
  program
      .add("files", wanted.files,
           "read FASTA or FASTQ, or lists of k-mers with extensions (KMER<TAB>LR), which cannot be "
           "pipes; plain or gzip; - is standard input")
      .required();
  program.refuse([&]() -> std::string {
    if (wanted.list && wanted.unitigs) return "choose one of --list and --unitigs";
    std::vector<acre::command_line::named_file> inputs;
    for (const std::string& file : wanted.files) inputs.push_back({"the input", file});
    return clash_of({{"--output", wanted.output}}, inputs);
  });
  program.footer(
      "Contigs consist of the k-mers that occur at least twice and have one base on each\n"
      "side that reaches the depth.\n"
      "Run it with: acre run -n 4 acre-contigs -o contigs.fasta reads.fastq.gz");
}

std::optional<unsigned> k_of_lists_here(const request& wanted) {
  std::optional<unsigned> k;
  std::string list;
  std::string other;
  for (const std::string& file : wanted.files) {
    const auto here = k_of_list(file);
    (here ? list : other) = file;
    if (here) k = here;
  }
  if (!k) return std::nullopt;
  if (!other.empty()) {
    throw acre::error("acre-contigs", list + " is a list of k-mers, but " + other + " is not",
                      "use either reads or lists");
  }
  if (wanted.unitigs) {
    throw acre::error("acre-contigs",
                      list + " is a list of k-mers, which does not contain their counts",
                      "use reads, or omit --unitigs");
  }
  if (*k > longest_kmer || (wanted.k && wanted.k != k)) {
    throw acre::error(
        "acre-contigs", fmt::format("the k-mers of {} have {} letters", list, *k),
        *k > longest_kmer ? fmt::format("use at most {} letters", longest_kmer) : "omit --k");
  }
  return k;
}

/// Rank 0 decides, as names may mean other files elsewhere. Collective.
std::optional<unsigned> k_of_lists(const request& wanted) {
  std::optional<unsigned> k;
  if (acre::rank() == 0) k = k_of_lists_here(wanted);
  return acre::world().broadcast(k, 0);
}

void report(const request& wanted, const assembly& made, double seconds) {
  using acre::program::grouped;
  const contig_statistics all = made.contigs.statistics();
  if (made.read) {
    acre::program::note(fmt::format("{} records, {} letters, {} {}-mers, {} of them joined\n",
                                    grouped(made.read->records), grouped(made.read->letters),
                                    grouped(made.read->kmers), made.k, grouped(made.nodes)));
  } else {
    const std::string ends =
        made.ends == 0 ? ""
                       : fmt::format("; {} without a base on one side {}", grouped(made.ends),
                                     made.ends_joined ? "among them" : "left out (see --ends)");
    acre::program::note(fmt::format("{} {}-mers joined{}\n", grouped(made.nodes), made.k, ends));
  }
  acre::program::note(fmt::format(
      "{} {}, {} bases, N50 {}, longest {}\n{:.2f} s on {} ranks ({})\n", grouped(all.number),
      wanted.unitigs ? "unitigs" : "contigs", grouped(all.bases), grouped(all.n50),
      grouped(all.longest), seconds, acre::size(), acre::conduit_name()));
  acre::program::note(
      fmt::format("{:.3f} s reading, {:.3f} s inserting, {:.3f} s traversing, {:.3f} s stitching\n",
                  made.seconds.reading, made.seconds.inserting, made.seconds.traversing,
                  made.seconds.stitching));
}

void report(const listing& made, unsigned k) {
  using acre::program::grouped;
  acre::program::note(fmt::format("{} records, {} letters, {} {}-mers, {} of them listed\n",
                                  grouped(made.read.records), grouped(made.read.letters),
                                  grouped(made.read.kmers), k, grouped(made.kmers)));
}

acre::error nothing_to_join(const request& wanted, const assembly& made) {
  const char* const call = "acre-contigs";
  if (!made.read) {
    return {call, "no k-mer of the list has a base on both sides",
            "check that it is the right file"};
  }
  if (made.read->longest == 0) {
    return {call, "the input contains no sequence", "check that it is the right file"};
  }
  if (made.read->kmers == 0) {
    const std::string why =
        made.read->longest < made.k
            ? fmt::format("its longest record has {} letters", made.read->longest)
            : fmt::format("no {} letters in a row are all ACGT", made.k);
    return {call, fmt::format("the input contains no {}-mer: {}", made.k, why),
            "choose a smaller --k"};
  }
  if (wanted.unitigs) {
    return {call, fmt::format("no {}-mer occurs twice", made.k),
            "choose a smaller --k, or use more reads"};
  }
  return {call,
          fmt::format("no {}-mer has one base on each side that occurs {} times with a quality of "
                      "{} or more",
                      made.k, wanted.min_depth, wanted.min_quality),
          "choose a smaller --min-depth, --min-quality or --k"};
}

void run(const request& wanted) {
  const auto begin = std::chrono::steady_clock::now();
  // Detects an unwritable output before hours of work.
  if (acre::rank() == 0) output_file::require_place(wanted.output);
  acre::barrier();
  const auto list_k = k_of_lists(wanted);
  const parameters how{.k = list_k.value_or(wanted.k.value_or(31)),
                       .min_depth = wanted.min_depth,
                       .min_quality = wanted.min_quality,
                       .phred = wanted.phred,
                       .unitigs = wanted.unitigs,
                       .ends = wanted.ends};
  if (wanted.list) {
    if (list_k) throw acre::error("acre-contigs", "the input is a list already", "omit --list");
    const listing made = list_kmers(wanted.files, how, wanted.output);
    if (acre::rank() == 0) report(made, how.k);
    return;
  }
  const assembly made =
      list_k ? assemble_list(wanted.files, how) : assemble_reads(wanted.files, how);
  if (acre::rank() == 0) {
    if (made.nodes == 0) throw nothing_to_join(wanted, made);
    made.contigs.write(wanted.output);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    report(wanted, made, spent.count());
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{"Joins the k-mers of sequencing reads to contigs.",
                                      "acre-contigs"};
  define(program, wanted);
  return acre::program::run(program, argc, argv, [&] { run(wanted); });
}
