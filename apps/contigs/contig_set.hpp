// SPDX-License-Identifier: BSD-3-Clause
// Finished contigs: order, statistics, file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acre::contigs {

struct contig_statistics {
  std::uint64_t number = 0;
  std::uint64_t bases = 0;
  std::uint64_t n50 = 0;
  std::uint64_t longest = 0;
};

/// Contigs sorted by descending length, then letters, so that files are reproducible.
class contig_set {
 public:
  contig_set() = default;
  explicit contig_set(std::vector<std::string> sequences);

  [[nodiscard]] const std::vector<std::string>& sequences() const noexcept { return sequences_; }
  [[nodiscard]] contig_statistics statistics() const;

  /// Writes FASTA: ">contig_N length=L", sequence on one line.
  /// @throws acre::error if it cannot be written; no file remains
  void write(const std::string& path) const;

 private:
  std::vector<std::string> sequences_;
};

}  // namespace acre::contigs
