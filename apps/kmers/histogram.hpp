// SPDX-License-Identifier: BSD-3-Clause
// How many k-mers occur how often.
//
// Almost all k-mers occur a few times and a few occur very often: low counts
// are numbered in an array, the others in a map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace acre::kmers {

class histogram {
 public:
  /// One line: `number` distinct k-mers occur `occurrences` times each. Trivially copyable, so
  /// that ranks can send each other the lines of theirs.
  struct line {
    std::uint64_t occurrences;
    std::uint64_t number;
    friend bool operator==(const line&, const line&) = default;
  };

  histogram() : low_(low_counts, 0) {}

  /// Notes a k-mer that occurs so many times (0: none, it is not noted).
  void add(std::uint64_t occurrences) { add({occurrences, 1}); }

  void add(const line& more) {
    if (more.occurrences < low_counts) {
      low_[more.occurrences] += more.number;
    } else {
      high_[more.occurrences] += more.number;
    }
  }

  void add(std::span<const line> lines) {
    for (const line& more : lines) add(more);
  }

  /// All lines with a number above 0, by occurrences.
  [[nodiscard]] std::vector<line> lines() const;

  /// Different k-mers.
  [[nodiscard]] std::uint64_t distinct() const;

  /// K-mers, each as many times as it occurs.
  [[nodiscard]] std::uint64_t total() const;

  /// Different k-mers that occur exactly so many times.
  [[nodiscard]] std::uint64_t number(std::uint64_t occurrences) const;

  /// Lines "occurrences number", as `jellyfish histo --high` writes them: line `high` + 1 has all
  /// k-mers that occur more than `high` times.
  [[nodiscard]] std::string text(std::uint64_t high) const;

 private:
  static constexpr std::size_t low_counts = 4096;

  std::vector<std::uint64_t> low_;
  std::map<std::uint64_t, std::uint64_t> high_;
};

}  // namespace acre::kmers
