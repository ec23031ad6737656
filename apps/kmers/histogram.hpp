// SPDX-License-Identifier: BSD-3-Clause
// K-mer histogram; low counts in an array, high ones in a map.
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
  /// `number` distinct k-mers occur `occurrences` times.
  struct line {
    std::uint64_t occurrences;
    std::uint64_t number;
    friend bool operator==(const line&, const line&) = default;
  };

  histogram() : low_(low_counts, 0) {}

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

  /// Non-zero lines by occurrences.
  [[nodiscard]] std::vector<line> lines() const;

  [[nodiscard]] std::uint64_t distinct() const;

  [[nodiscard]] std::uint64_t total() const;

  [[nodiscard]] std::uint64_t number(std::uint64_t occurrences) const;

  /// Lines "occurrences number" as in `jellyfish histo --high`; line `high` + 1 sums the rest.
  [[nodiscard]] std::string text(std::uint64_t high) const;

 private:
  static constexpr std::size_t low_counts = 4096;

  std::vector<std::uint64_t> low_;
  std::map<std::uint64_t, std::uint64_t> high_;
};

}  // namespace acre::kmers
