// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/content.hpp>

#include <acre/acre.hpp>

#include <apps/genome/warning.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace acre::genome {
namespace {

/// Above 5 %: no accident.
constexpr bool are_many(std::uint64_t some, std::uint64_t all) { return some * 20 > all; }

void warn(const input& file, std::uint64_t number, const char* what) {
  if (rank() != 0 || number == 0) return;
  warn_once(file.path, fmt::format("{} ({} of them): k-mers with them are skipped", what, number));
}

}  // namespace

std::vector<content> add_up(std::span<const content> mine) {
  constexpr std::size_t sums_each = 3;
  std::vector<std::uint64_t> sums;
  std::vector<std::uint8_t> highest;
  for (const content& each : mine) {
    sums.insert(sums.end(), {each.letters, each.uracil, each.residues});
    highest.push_back(each.most_quality);
    highest.push_back(static_cast<std::uint8_t>(255 - each.least_quality));
  }
  world().allreduce(std::span(sums), op::sum);
  world().allreduce(std::span(highest), op::max);
  std::vector<content> all;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const std::uint64_t* const sum = &sums[sums_each * i];
    all.push_back({.letters = sum[0],
                   .uracil = sum[1],
                   .residues = sum[2],
                   .least_quality = static_cast<std::uint8_t>(255 - highest[2 * i + 1]),
                   .most_quality = highest[2 * i]});
  }
  return all;
}

void check_letters(std::span<const input> inputs, std::span<const content> files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const content& file = files[i];
    const auto fail = [&](const char* what, std::uint64_t number, const char* letters,
                          const char* advice) {
      throw error("read_sequences",
                  fmt::format("{}: this is {}, not DNA: {} of its {} letters are {}",
                              shown_name(inputs[i].path), what, number, file.letters, letters),
                  advice);
    };
    if (are_many(file.residues, file.letters)) {
      fail("protein", file.residues, "E, F, I, J, L, O, P, Q or Z",
           "k-mers consist of nucleotides: use the DNA of the genes");
    }
    if (are_many(file.uracil, file.letters)) {
      fail("RNA", file.uracil, "U", "replace U by T first: sed '/^>/!y/Uu/Tt/'");
    }
    warn(inputs[i], file.residues, "letters that are not nucleotides, e.g. E, F, I and L");
    warn(inputs[i], file.uracil, "letters U");
  }
}

void check_qualities(std::span<const input> inputs, std::span<const content> files,
                     unsigned phred) {
  // Solexa's minimum is -5; both formats end at about 40.
  constexpr unsigned least_of_64 = 64 - 5;
  constexpr unsigned most_of_64 = 64 + 42;
  constexpr unsigned seldom_of_33 = 33 + 47;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const content& file = files[i];
    if (file.least_quality > file.most_quality) continue;
    const unsigned wrong = file.least_quality < '!' ? file.least_quality : file.most_quality;
    if (wrong < '!' || wrong > '~') {
      throw error("read_sequences",
                  fmt::format("{}: a letter of its qualities has the code {}, which is invalid",
                              shown_name(inputs[i].path), wrong),
                  "use codes from 33 to 126, and check that the file is intact");
    }
    const auto fail = [&](const char* what, const char* advice) {
      throw error("read_sequences",
                  fmt::format("{}: the letters of its qualities are from '{}' to '{}': {}",
                              shown_name(inputs[i].path), static_cast<char>(file.least_quality),
                              static_cast<char>(file.most_quality), what),
                  advice);
    };
    const bool seems_64 = file.least_quality >= least_of_64 && file.most_quality >= seldom_of_33 &&
                          file.most_quality <= most_of_64;
    if (phred == 0 && seems_64) {
      fail("they seem to be Phred+64, as Illumina's before 2011",
           "use --phred 64, or --phred 33 if they are Phred+33");
    }
    if (phred == 64 && file.least_quality < least_of_64) {
      fail("they are not Phred+64", "omit --phred 64");
    }
  }
}

}  // namespace acre::genome
