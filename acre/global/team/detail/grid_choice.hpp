// SPDX-License-Identifier: BSD-3-Clause
// Extents of grid teams: all that fit, by the surface between members' boxes.
#pragma once

#include <acre/mapping/communication.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::global {

struct grid_wish {
  std::vector<std::uint32_t> extents;  ///< 0: chosen
  /// Matrix that is distributed over the grid; empty: all dimensions are alike.
  std::vector<std::size_t> elements{};
};

/// Returns the grids of all `members` (of the given extents' product, if no extent is chosen) with
/// at most 1.25 times the least surface, ascending; at most `most`.
/// @throws acre::error if the given extents do not divide `members`
[[nodiscard]] std::vector<std::vector<std::uint32_t>> grids_for(const grid_wish& wish,
                                                                std::uint32_t members,
                                                                std::size_t most);

/// Exchange with both neighbours in each dimension, periodic; bytes by the faces of the boxes.
[[nodiscard]] mapping::communication stencil_on(const std::vector<std::uint32_t>& grid,
                                                const std::vector<std::size_t>& elements);

}  // namespace acre::global
