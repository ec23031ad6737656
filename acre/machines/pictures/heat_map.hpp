// SPDX-License-Identifier: BSD-3-Clause
// A page with the matrix of a job's traffic: a row for each rank that sends, a column for each that
// receives, as dark as the bytes are many, by their logarithm.
//
// Lightness alone tells the amounts, so it reads in print without colours and by who sees none.
#pragma once

#include <acre/mapping/communication.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::machines {

/// Traffic between runs of ranks that follow each other.
struct binned_traffic {
  mapping::rank_t ranks_a_bin = 1;
  std::size_t bins = 0;       ///< in a row, and in a column
  std::vector<double> bytes;  ///< of each pair of bins, row by row: from, to

  [[nodiscard]] double from_to(std::size_t from, std::size_t to) const {
    return bytes[from * bins + to];
  }
};

/// The traffic in `most` bins, or fewer: as many as need the same number of ranks each.
[[nodiscard]] binned_traffic binned(const mapping::traffic& flows, std::size_t most);

/// Of more than 1,000 ranks (250 in an SVG, which would be long) some are one row and column
/// together, whose bytes are their sum.
/// @param path ends in .svg or .png
/// @throws acre::error when it ends in something else, or cannot be written
void draw_heat_map(const mapping::communication& what, const std::string& path);

}  // namespace acre::machines
