// SPDX-License-Identifier: BSD-3-Clause
// Detection of protein, RNA and old quality encodings by letter statistics.
#pragma once

#include <apps/genome/share.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace acre::genome {

struct content {
  std::uint64_t letters = 0;
  std::uint64_t uracil = 0;
  std::uint64_t residues = 0;
  std::uint8_t least_quality = 255;
  std::uint8_t most_quality = 0;

  void add(const record& read, std::uint64_t carried);
};

namespace detail {

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

[[nodiscard]] std::vector<content> add_up(std::span<const content> mine);

/// Warns of non-nucleotide letters, on rank 0.
/// @throws acre::error on all ranks for protein or RNA
void check_letters(std::span<const input> inputs, std::span<const content> files);

/// @param phred  quality offset; 0: unknown, 33 assumed
/// @throws acre::error on all ranks for another offset
void check_qualities(std::span<const input> inputs, std::span<const content> files, unsigned phred);

}  // namespace acre::genome
