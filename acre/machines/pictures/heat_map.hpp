// SPDX-License-Identifier: BSD-3-Clause
// Draws a traffic matrix: senders in rows, darker by the logarithm of bytes.
#pragma once

#include <acre/mapping/communication.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::machines {

struct binned_traffic {
  mapping::rank_t ranks_a_bin = 1;
  std::size_t bins = 0;
  std::vector<double> bytes;

  [[nodiscard]] double from_to(std::size_t from, std::size_t to) const {
    return bytes[from * bins + to];
  }
};

/// Sums the traffic over at most `most` bins of consecutive ranks per side.
[[nodiscard]] binned_traffic binned(const mapping::traffic& flows, std::size_t most);

/// Above 1,000 ranks (SVG: 250), ranks are binned.
/// @param path ends in .svg or .png
/// @throws acre::error for another ending or a failed write
void draw_heat_map(const mapping::communication& what, const std::string& path);

}  // namespace acre::machines
