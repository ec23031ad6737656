// SPDX-License-Identifier: BSD-3-Clause
// A picture of the k-mer spectrum in letters: how many k-mers occur once, twice, …
//
// Reads of a genome have a spectrum with two parts: a steep slope at the left,
// the k-mers with a sequencing error, and a hill around the depth of the
// sequencing, the genome itself. The hill is what one wants to see, so the
// scale is chosen for it and the slope is cut off at the top. Where there is
// no hill the scale is logarithmic instead.
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
  unsigned rows = 12;  ///< of the bars; the axis and the title take three more
  glyphs letters = glyphs::unicode;
};

/// The picture, each line ended by a newline; empty for an empty histogram.
[[nodiscard]] std::string draw_spectrum(const histogram& counts, const picture_style& style);

/// The occurrences at the top of the hill: about the depth of the sequencing. Nothing when the
/// spectrum has no hill.
[[nodiscard]] std::optional<std::uint64_t> spectrum_peak(const histogram& counts);

}  // namespace acre::kmers
