// SPDX-License-Identifier: BSD-3-Clause
// The 8 x 8 x 8 cells of a leaf, and how they pass to nodes of other sizes: by means to coarser
// ones, by limited slopes to finer ones. Either way the sum stays.
//
// Cell (x, y, z) is element (8 x + y) 8 + z. What passes over a face is planes of 8 x 8, in the
// order of the axes along it. Only a node's own cells are looked at, so nothing of this waits for a
// message.
#pragma once

#include <apps/amr/location.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::amr {

inline constexpr std::size_t cells_along = 8;
inline constexpr std::size_t cells_of_plane = cells_along * cells_along;
inline constexpr std::size_t cells_of_leaf = cells_along * cells_of_plane;
inline constexpr std::size_t ghost_layers = 2;
inline constexpr std::size_t ghosts_of_face = ghost_layers * cells_of_plane;

using values = std::vector<double>;
using plane = std::array<double, cells_of_plane>;

/// How far cells lie apart in memory, along each axis.
inline constexpr std::array<std::size_t, axes> strides{cells_of_plane, cells_along, 1};

/// The cell `depth` layers behind a face, (i, j) along it.
[[nodiscard]] constexpr std::size_t cell_behind(face f, std::size_t depth, std::size_t i,
                                                std::size_t j) noexcept {
  const auto [first, second] = axes_along(f);
  const std::size_t across = is_high(f) ? cells_along - 1 - depth : depth;
  return across * strides[axis_of(f)] + i * strides[first] + j * strides[second];
}

/// Of the differences to both sides, the slope that makes no new extreme: monotonised central (van
/// Leer 1977).
[[nodiscard]] inline double limited(double below, double above) noexcept {
  const double steepest = 2 * std::min(std::abs(below), std::abs(above));
  const double least = std::min(steepest, 0.5 * std::abs(below + above));
  return below * above > 0 ? std::copysign(least, below) : 0;
}

/// Two layers of ghosts for a neighbour of the same size, the one at the face first.
[[nodiscard]] values border(std::span<const double> cells, face f);
/// The same for one twice as large, whose face this is a quarter of: 2 x 4 x 4.
[[nodiscard]] values restricted_border(std::span<const double> cells, face f);
/// The same for one half as large, behind a quarter of the face: 2 x 8 x 8.
[[nodiscard]] values prolonged_border(std::span<const double> cells, face f, unsigned part);

/// The means of four neighbours each: 4 x 4.
[[nodiscard]] values restricted(const plane& whole);
/// The means of eight neighbours each: 4 x 4 x 4.
[[nodiscard]] values restricted(std::span<const double> cells);
/// All cells of a child.
[[nodiscard]] values prolonged(std::span<const double> cells, unsigned child);

/// Puts planes of 4 x 4 where they belong in planes of 8 x 8.
void insert_part(std::span<const double> quarter, unsigned part, std::span<double> whole);
/// Puts the 4 x 4 x 4 of a child where they belong.
void insert_child(std::span<const double> eighth, unsigned child, std::span<double> cells);

/// The largest difference between two cells side by side.
[[nodiscard]] double largest_jump(std::span<const double> cells);

}  // namespace acre::amr
