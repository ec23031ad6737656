// SPDX-License-Identifier: BSD-3-Clause
// Text picture of the k-mer spectrum, scaled to the genome's peak. The error slope at the left is
// cut off. Logarithmic without a peak.
#pragma once

#include <apps/genome/terminal.hpp>
#include <apps/kmers/histogram.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace acre::kmers {

using namespace genome;

struct picture_style {
  unsigned columns = 80;
  unsigned rows = 12;
  glyphs letters = glyphs::unicode;
};

/// Lines with newlines; empty for an empty histogram.
[[nodiscard]] std::string draw_spectrum(const histogram& counts, const picture_style& style);

/// Occurrences at the peak, about the sequencing depth; empty without peak.
[[nodiscard]] std::optional<std::uint64_t> spectrum_peak(const histogram& counts);

}  // namespace acre::kmers
