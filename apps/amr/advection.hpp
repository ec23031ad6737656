// SPDX-License-Identifier: BSD-3-Clause
// Linear advection of a blob in the periodic unit cube: u_t + a . grad u = 0, with known exact
// solution.
//
// Heun's method over conservative upwind Euler steps with limited slopes: second order except at
// extremes.
#pragma once

#include <apps/amr/cells.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace acre::amr {

inline constexpr std::uint32_t stages_of_step = 2;

using point = std::array<double, axes>;

struct problem {
  point velocity = {1, 0.5, 0.25};
  point centre = {0.5, 0.5, 0.5};
  double radius = 0.25;
  std::uint32_t coarsest = 1;
  std::uint32_t finest = 3;
  double refine_above = 0.06;    ///< a leaf with a larger jump between cells is refined
  double coarsen_below = 0.012;  ///< below refine_above / 4, or levels oscillate
  std::uint32_t regrid_every = 4;
  double courant = 0.4;

  friend bool operator==(const problem&, const problem&) = default;

  /// Constant, so that no step needs a reduction.
  [[nodiscard]] double time_step() const noexcept;
  [[nodiscard]] double exact(const point& where, double time) const noexcept;
};

[[nodiscard]] point middle_of(const location& leaf, std::size_t x, std::size_t y,
                              std::size_t z) noexcept;

[[nodiscard]] values exact_cells(const problem& given, const location& leaf, double time);

struct surroundings {
  std::array<values, 6> ghosts;  ///< two layers, nearest first: 2 x 8 x 8
  /// Flux along the axis from finer neighbours: 8 x 8; else empty.
  std::array<values, 6> fluxes;
};

using border_fluxes = std::array<plane, 6>;

/// @param after  must not alias `cells`
border_fluxes euler_step(const problem& given, double cell_side, std::span<const double> cells,
                         const surroundings& around, std::span<double> after);

}  // namespace acre::amr
