// SPDX-License-Identifier: BSD-3-Clause
// Grid made by the program (MPI_Cart_create), which its traffic may hardly use.
#pragma once

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct known_grid {
  /// Ranks first … last.
  struct run {
    std::uint32_t first;
    std::uint32_t last;
    friend bool operator==(const run&, const run&) = default;
  };

  std::vector<std::uint32_t> extents;
  /// Per cell, last coordinate fastest.
  std::vector<run> ranks;

  [[nodiscard]] std::uint64_t cells() const;
};

/// Rank of each cell; empty unless each of `count` ranks is in one cell.
[[nodiscard]] std::vector<std::uint32_t> ranks_in_cells(const known_grid& grid,
                                                        std::uint32_t count);

}  // namespace acre::mapping
