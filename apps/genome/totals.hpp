// SPDX-License-Identifier: BSD-3-Clause
// What was read and counted. The same for any number of ranks, and however the input is cut.
#pragma once

#include <acre/acre.hpp>

#include <apps/genome/sequence_reader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace acre::genome {

struct totals {
  std::uint64_t records = 0;  ///< with at least one letter, in FASTA
  std::uint64_t letters = 0;
  std::uint64_t kmers = 0;
  /// Letters of the longest record; of one that was cut, of its longest part, which has k
  /// letters when the record has.
  std::uint64_t longest = 0;

  /// @param carried  how many letters a record that continues has in common with the text before
  void add(const record& read, std::uint64_t carried) {
    const std::uint64_t length = read.sequence.size();
    records += read.continues ? 0 : 1;
    letters += length - (read.continues ? carried : 0);
    longest = std::max(longest, length);
  }
};

/// What all ranks have read together. Collective.
[[nodiscard]] inline totals add_up(const totals& mine) {
  std::array sums{mine.records, mine.letters, mine.kmers};
  world().allreduce(std::span<std::uint64_t>(sums), op::sum);
  return {.records = sums[0],
          .letters = sums[1],
          .kmers = sums[2],
          .longest = world().allreduce(mine.longest, op::max)};
}

}  // namespace acre::genome
