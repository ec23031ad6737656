// SPDX-License-Identifier: BSD-3-Clause
// What the letters of a file say about it: protein and RNA have windows of ACGT as well, and old
// FASTQ files write their qualities with other letters.
#pragma once

#include <apps/genome/share.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace acre::genome {

/// The letters of one file's records; the same however the file is cut.
struct content {
  std::uint64_t letters = 0;
  std::uint64_t uracil = 0;    ///< U
  std::uint64_t residues = 0;  ///< letters of amino acids that are no codes of nucleotides
  std::uint8_t least_quality = 255;
  std::uint8_t most_quality = 0;

  /// @param carried  how many letters a record that continues has in common with the text before
  void add(const record& read, std::uint64_t carried);
};

namespace detail {

/// 1 in the low half of a word for U, in the high half for a residue.
inline constexpr auto letter_kinds = [] {
  std::array<std::uint32_t, 256> kinds{};
  for (const char each : std::string_view("Uu")) kinds[static_cast<unsigned char>(each)] = 1;
  for (const char each : std::string_view("EFIJLOPQZefijlopqz")) {
    kinds[static_cast<unsigned char>(each)] = 1U << 16;
  }
  return kinds;
}();

}  // namespace detail

inline void content::add(const record& read, std::uint64_t carried) {
  std::string_view left = read.sequence.substr(read.continues ? carried : 0);
  letters += left.size();
  while (!left.empty()) {
    const auto part = left.substr(0, 0xffff);
    std::uint32_t found = 0;
    for (const char each : part) found += detail::letter_kinds[static_cast<unsigned char>(each)];
    uracil += found & 0xffff;
    residues += found >> 16;
    left.remove_prefix(part.size());
  }
  for (const char each : read.quality) {
    least_quality = std::min(least_quality, static_cast<std::uint8_t>(each));
    most_quality = std::max(most_quality, static_cast<std::uint8_t>(each));
  }
}

/// What all ranks have read of each file. Collective.
[[nodiscard]] std::vector<content> add_up(std::span<const content> mine);

/// Warns of letters that are no nucleotides; rank 0 prints.
/// @param files  as add_up() gives them
/// @throws acre::error on all ranks when a file is protein or RNA
void check_letters(std::span<const input> inputs, std::span<const content> files);

/// @param phred  what is added to a quality to write it; 0: not given, and 33
/// @throws acre::error on all ranks when the qualities of a file were written with another number
void check_qualities(std::span<const input> inputs, std::span<const content> files, unsigned phred);

}  // namespace acre::genome
