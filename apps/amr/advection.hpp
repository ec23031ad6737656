// SPDX-License-Identifier: BSD-3-Clause
// A smooth blob that a steady wind carries around the periodic unit cube: u_t + a . grad u = 0.
//
// After any time its exact shape is known. Two stages make a step (Heun's method, which keeps what
// a step of Euler's keeps); in each, u at the sides of cells follows from limited slopes, on the
// side that the wind comes from. Order 2 where u is smooth, but at its extremes.
#pragma once

#include <apps/amr/cells.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace acre::amr {

inline constexpr std::uint32_t stages_of_step = 2;

using point = std::array<double, axes>;

/// All that a run depends on. It is the same on all ranks, and in each node.
struct problem {
  point velocity = {1, 0.5, 0.25};
  point centre = {0.5, 0.5, 0.5};  ///< of the blob, at first
  double radius = 0.25;            ///< outside which there is nothing
  std::uint32_t coarsest = 1;      ///< level of a leaf
  std::uint32_t finest = 3;
  double refine_above = 0.06;    ///< what u differs between two cells side by side
  double coarsen_below = 0.012;  ///< less than a quarter of it, or a leaf goes to and fro
  std::uint32_t regrid_every = 4;
  double courant = 0.4;  ///< how far the wind goes in a step, in the smallest cells

  friend bool operator==(const problem&, const problem&) = default;

  /// The same everywhere, so that no step waits for a reduction.
  [[nodiscard]] double time_step() const noexcept;
  [[nodiscard]] double exact(const point& where, double time) const noexcept;
};

/// The middle of a cell.
[[nodiscard]] point middle_of(const location& leaf, std::size_t x, std::size_t y,
                              std::size_t z) noexcept;

/// The exact u of all cells of a leaf, at their middles.
[[nodiscard]] values exact_cells(const problem& given, const location& leaf, double time);

/// What a leaf must know of its neighbours to take a stage. By face.
struct surroundings {
  std::array<values, 6> ghosts;  ///< two layers, the one at the face first: 2 x 8 x 8
  /// What flows over the face as finer neighbours see it, in the direction of the axis: 8 x 8.
  /// Empty where they are not finer.
  std::array<values, 6> fluxes;
};

/// What flowed over each face.
using border_fluxes = std::array<plane, 6>;

/// Euler's step: cells + time step x what flows in.
/// @param after  may not be `cells`
border_fluxes euler_step(const problem& given, double cell_side, std::span<const double> cells,
                         const surroundings& around, std::span<double> after);

}  // namespace acre::amr
