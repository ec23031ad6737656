// SPDX-License-Identifier: BSD-3-Clause
// Linear advection of a blob in the periodic unit cube: u_t + a . grad u = 0, with known exact
// solution.
//
// Heun's method over conservative upwind Euler steps with limited slopes: second order except at
// extremes.
#pragma once

#include <apps/amr/problem.hpp>
#include <apps/amr/sweep.hpp>

#include <span>

namespace acre::amr {

[[nodiscard]] values exact_cells(const problem& given, const location& leaf, double time);

/// @param after  must not alias `cells`
border_fluxes euler_step(const problem& given, double cell_side, std::span<const double> cells,
                         const surroundings& around, std::span<double> after);

}  // namespace acre::amr
