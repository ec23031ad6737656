// SPDX-License-Identifier: BSD-3-Clause
// Fuzzed FASTA and FASTQ reader.
#pragma once

#include <acre/base/error.hpp>

#include <apps/genome/share.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::fuzz {

struct sequences {
  std::uint64_t records = 0;
  std::uint64_t letters = 0;
  friend bool operator==(const sequences&, const sequences&) = default;
};

inline sequences read_sequences(const std::string& path, std::uint32_t ranks,
                                std::size_t chunk_size) {
  constexpr unsigned k = 5;
  const std::vector<genome::input> inputs{genome::inspect(path)};
  sequences all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (const genome::piece& part : genome::share_of(inputs, rank, ranks)) {
      genome::chunk_source chunks(inputs[part.file], part, k, chunk_size);
      for (genome::chunk text; chunks.next(text);) {
        genome::for_each_record(text, path, [&](const genome::record& read) {
          all.records += read.continues ? 0 : 1;
          all.letters += read.sequence.size() - (read.continues ? text.origin.carried : 0);
        });
      }
    }
  }
  return all;
}

/// Reads with one to three ranks; throws if all refuse.
///
/// @return how the results differ, or empty
inline std::string difference_between_ranks(const std::string& path) {
  std::array<std::string, 3> problems;
  std::array<sequences, 3> found;
  for (std::uint32_t ranks = 1; ranks <= 3; ++ranks) {
    try {
      found[ranks - 1] = read_sequences(path, ranks, std::size_t{1} << 12);
    } catch (const error& failed) {
      problems[ranks - 1] = failed.problem();
    }
  }
  for (std::size_t i = 1; i < 3; ++i) {
    if (problems[i].empty() != problems[0].empty() ||
        (problems[0].empty() && found[i] != found[0])) {
      return std::to_string(i + 1) + " ranks: " + problems[i] + ", " +
             std::to_string(found[i].records) + " records, " + std::to_string(found[i].letters) +
             " letters; one: " + problems[0] + ", " + std::to_string(found[0].records) + ", " +
             std::to_string(found[0].letters);
    }
  }
  if (!problems[0].empty()) throw error("read_sequences", problems[0]);
  return {};
}

}  // namespace acre::fuzz
