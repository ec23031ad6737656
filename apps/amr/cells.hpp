// SPDX-License-Identifier: BSD-3-Clause
// The 8 x 8 x 8 cells of a leaf, and conservative transfer: means to coarser nodes, limited slopes
// to finer ones. Cell (x, y, z) is element (8 x + y) 8 + z; face data are 8 x 8 planes in axis
// order.
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

inline constexpr std::array<std::size_t, axes> strides{cells_of_plane, cells_along, 1};

[[nodiscard]] constexpr std::size_t cell_behind(face f, std::size_t depth, std::size_t i,
                                                std::size_t j) noexcept {
  const auto [first, second] = axes_along(f);
  const std::size_t across = is_high(f) ? cells_along - 1 - depth : depth;
  return across * strides[axis_of(f)] + i * strides[first] + j * strides[second];
}

/// Monotonised central limiter (van Leer 1977).
[[nodiscard]] inline double limited(double below, double above) noexcept {
  const double steepest = 2 * std::min(std::abs(below), std::abs(above));
  const double least = std::min(steepest, 0.5 * std::abs(below + above));
  return below * above > 0 ? std::copysign(least, below) : 0;
}

/// Two ghost layers for a neighbour of equal level.
[[nodiscard]] values border(std::span<const double> cells, face f);
/// Ghosts for a coarser neighbour, a quarter of its face: 2 x 4 x 4.
[[nodiscard]] values restricted_border(std::span<const double> cells, face f);
/// Ghosts for a finer neighbour at a quarter of the face: 2 x 8 x 8.
[[nodiscard]] values prolonged_border(std::span<const double> cells, face f, unsigned part);

/// Means of 2 x 2 values each: a plane of 4 x 4.
[[nodiscard]] values restricted(const plane& whole);
/// Means of 2 x 2 x 2 cells each: 4 x 4 x 4 values.
[[nodiscard]] values restricted(std::span<const double> cells);
[[nodiscard]] values prolonged(std::span<const double> cells, unsigned child);

void insert_part(std::span<const double> quarter, unsigned part, std::span<double> whole);
void insert_child(std::span<const double> eighth, unsigned child, std::span<double> cells);

[[nodiscard]] double largest_jump(std::span<const double> cells);

}  // namespace acre::amr
