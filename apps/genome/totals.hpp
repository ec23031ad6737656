// SPDX-License-Identifier: BSD-3-Clause
// Input totals, independent of ranks and cuts except `longest`.
#pragma once

#include <acre/acre.hpp>

#include <apps/genome/sequence_reader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace acre::genome {

struct totals {
  std::uint64_t records = 0;
  std::uint64_t letters = 0;
  std::uint64_t kmers = 0;
  /// Longest record, or part of a cut one.
  std::uint64_t longest = 0;

  void add(const record& read, std::uint64_t carried) {
    const std::uint64_t length = read.sequence.size();
    records += read.continues ? 0 : 1;
    letters += length - (read.continues ? carried : 0);
    longest = std::max(longest, length);
  }
};

[[nodiscard]] inline totals add_up(const totals& mine) {
  std::array sums{mine.records, mine.letters, mine.kmers};
  world().allreduce(std::span<std::uint64_t>(sums), op::sum);
  return {.records = sums[0],
          .letters = sums[1],
          .kmers = sums[2],
          .longest = world().allreduce(mine.longest, op::max)};
}

}  // namespace acre::genome
