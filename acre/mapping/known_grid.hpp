// SPDX-License-Identifier: BSD-3-Clause
// Grid that the program created (MPI_Cart_create), whether or not its traffic follows it.
#pragma once

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct known_grid {
  /// The ranks `first` to `last`, both included.
  struct run {
    std::uint32_t first;
    std::uint32_t last;
    friend bool operator==(const run&, const run&) = default;
  };

  std::vector<std::uint32_t> extents;
  /// Contiguous runs of ranks, in the order of cells.
  std::vector<run> ranks;

  [[nodiscard]] std::uint64_t cells() const;
};

/// Rank of each cell; empty unless each of the ranks 0 … count-1 is in exactly one
/// cell.
[[nodiscard]] std::vector<std::uint32_t> ranks_in_cells(const known_grid& grid,
                                                        std::uint32_t count);

}  // namespace acre::mapping
