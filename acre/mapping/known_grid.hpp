// SPDX-License-Identifier: BSD-3-Clause
// Grids that a program has made of its ranks itself, as MPI_Cart_create does.
//
// Who knows one need not look for it in the traffic (recognition.hpp), only whether the traffic
// goes between its neighbours: programs make grids that they hardly use, too.
#pragma once

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct known_grid {
  /// Ranks that follow each other: first, first + 1, …, last.
  struct run {
    std::uint32_t first;
    std::uint32_t last;
    friend bool operator==(const run&, const run&) = default;
  };

  std::vector<std::uint32_t> extents;
  /// The ranks in its cells, the last coordinate running fastest.
  std::vector<run> ranks;

  [[nodiscard]] std::uint64_t cells() const;
};

/// Each rank; nothing where they are not all of `count` ranks, each once.
[[nodiscard]] std::vector<std::uint32_t> ranks_in_cells(const known_grid& grid,
                                                        std::uint32_t count);

}  // namespace acre::mapping
