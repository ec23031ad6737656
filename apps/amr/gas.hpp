// SPDX-License-Identifier: BSD-3-Clause
// Euler's equations of an ideal gas: density, momentum and energy are conserved.
//
// Heun's method with limited slopes (MUSCL: van Leer, J. Comput. Phys. 32, 1979) and HLLC fluxes
// (Toro, Spruce, Speares: Shock Waves 4, 1994): second order if smooth.
#pragma once

#include <apps/amr/problem.hpp>
#include <apps/amr/sweep.hpp>

#include <cstddef>
#include <span>

namespace acre::amr {

inline constexpr std::size_t gas_quantities = 5;

[[nodiscard]] values gas_cells(const problem& given, const location& leaf);
/// True without gravity.
[[nodiscard]] bool has_exact_density(const problem& given) noexcept;
/// Valid for `sod` until its waves meet, at time 0.14.
[[nodiscard]] values exact_density(const problem& given, const location& leaf, double time);

/// Largest sum over the axes of speed and sound, in cells per time.
[[nodiscard]] double fastest_signal(const problem& given, double cell_side,
                                    std::span<const double> cells);

/// @param step   of time
/// @param pull   acceleration of each cell, by axis, or empty
/// @param after  must not alias `cells`
/// @throws acre::error if density or pressure are not positive
border_fluxes gas_step(const problem& given, double step, double cell_side,
                       std::span<const double> cells, const surroundings& around,
                       std::span<const double> pull, std::span<double> after);

}  // namespace acre::amr
