// SPDX-License-Identifier: BSD-3-Clause
#include <apps/kmers/counting.hpp>

#include <apps/genome/inputs.hpp>
#include <apps/genome/output_file.hpp>
#include <apps/genome/terminal.hpp>
#include <apps/kmers/count.hpp>
#include <apps/kmers/spectrum.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace acre::kmers {
namespace {

void check_twice_readable(const std::vector<input>& inputs) {
  for (const input& each : inputs) {
    if (!each.consumed) continue;
    throw acre::error(
        "acre-kmers",
        "--bloom reads its input twice, but a pipe can be read only once: " + shown_name(each.path),
        "write it to a file first");
  }
}

void write_histogram(const histogram& counts, const request& wanted) {
  text_output file(wanted.histogram);
  file.write(counts.text(wanted.high));
  file.commit();
}

void report(const request& wanted, const totals& all, const histogram& counts, double seconds) {
  const std::string found =
      wanted.bloom
          ? fmt::format("{} distinct that occur twice or more", program::grouped(counts.distinct()))
          : fmt::format("{} distinct, {} of them once", program::grouped(counts.distinct()),
                        program::grouped(counts.number(1)));
  program::note(
      fmt::format("{} records, {} letters, {} {}-mers: {}\n"
                  "{:.2f} s on {} ranks ({}), {:.1f} million k-mers a second\n",
                  program::grouped(all.records), program::grouped(all.letters),
                  program::grouped(all.kmers), wanted.k, found, seconds, acre::size(),
                  acre::conduit_name(), static_cast<double>(all.kmers) / 1e6 / seconds));
}

template <std::size_t Words>
void count_and_write(const request& wanted, std::vector<input> inputs) {
  const auto begin = std::chrono::steady_clock::now();
  counter<Words> counting(std::move(inputs), wanted.k,
                          wanted.bloom ? counted_kmers::repeated : counted_kmers::all);
  const totals all = counting.count();
  if (all.kmers == 0) {
    if (acre::rank() == 0) {
      if (all.longest == 0) {
        throw acre::error("acre-kmers", "the input contains no sequence",
                          "check that it is the right file");
      }
      const std::string why = all.longest < wanted.k
                                  ? fmt::format("its longest record has {} letters", all.longest)
                                  : fmt::format("no {} letters in a row are all ACGT", wanted.k);
      throw acre::error("acre-kmers",
                        fmt::format("the input contains no {}-mer: {}", wanted.k, why),
                        "choose a smaller --k");
    }
    acre::barrier();
    return;
  }
  const histogram counts = counting.make_histogram();
  if (!wanted.counts.empty()) counting.write_counts(wanted.counts);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (acre::rank() == 0) {
    write_histogram(counts, wanted);
    report(wanted, all, counts, spent.count());
    if (wanted.spectrum) {
      const std::string drawn =
          draw_spectrum(counts, {.columns = terminal_columns(), .letters = terminal_glyphs()});
      std::fwrite(drawn.data(), 1, drawn.size(), stderr);
    }
  }
  acre::barrier();
}

}  // namespace

void count_files(const request& wanted) {
  // Detects an unwritable output before hours of work.
  if (acre::rank() == 0) {
    output_file::require_place(wanted.histogram);
    if (!wanted.counts.empty()) output_file::require_place(wanted.counts);
  }
  acre::barrier();
  std::vector<input> inputs = inspect_all("acre-kmers", wanted.files);
  if (wanted.bloom) check_twice_readable(inputs);
  with_words_for(wanted.k,
                 [&]<std::size_t Words>() { count_and_write<Words>(wanted, std::move(inputs)); });
}

}  // namespace acre::kmers
