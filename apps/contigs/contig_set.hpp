// SPDX-License-Identifier: BSD-3-Clause
// A finished set of contigs: its order, its numbers, its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acre::contigs {

struct contig_statistics {
  std::uint64_t number = 0;
  std::uint64_t bases = 0;
  /// Contigs of this length and longer hold half of all bases.
  std::uint64_t n50 = 0;
  std::uint64_t longest = 0;
};

/// Contigs in the order of their file: the longest first, those of one length by their letters. So
/// a file has the same bytes whoever found its contigs.
class contig_set {
 public:
  contig_set() = default;
  explicit contig_set(std::vector<std::string> sequences);

  [[nodiscard]] const std::vector<std::string>& sequences() const noexcept { return sequences_; }
  [[nodiscard]] contig_statistics statistics() const;

  /// Writes FASTA: ">contig_N length=L", and the sequence on one line.
  /// @throws acre::error when the file cannot be written; there is none then
  void write(const std::string& path) const;

 private:
  std::vector<std::string> sequences_;
};

}  // namespace acre::contigs
