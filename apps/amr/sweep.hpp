// SPDX-License-Identifier: BSD-3-Clause
// A leaf's cells as planes along one axis, between those of its neighbours.
#pragma once

#include <apps/amr/cells.hpp>

#include <array>
#include <span>

namespace acre::amr {

/// Planes of the leaf between two ghost planes at each end.
using layers = std::array<plane, cells_along + 2 * ghost_layers>;
/// Fluxes through the lower sides of the leaf's planes, and the upper side of the last.
using side_fluxes = std::array<plane, cells_along + 1>;

struct surroundings {
  std::array<values, 6> ghosts;  ///< per quantity two layers, nearest first: 2 x 8 x 8
  /// Per quantity the flux from finer neighbours: 8 x 8, or empty.
  std::array<values, 6> fluxes;
};

/// Per quantity the flux through each face: 8 x 8.
using border_fluxes = std::array<values, 6>;

[[nodiscard]] layers gather(std::span<const double> cells, const surroundings& around,
                            unsigned axis, std::size_t quantity);

/// Replaces border fluxes by those of finer neighbours, and records all.
void settle_borders(side_fluxes& flux, const surroundings& around, unsigned axis,
                    std::size_t quantity, border_fluxes& borders);

void add_inflow(const side_fluxes& flux, unsigned axis, double factor, std::span<double> after);

}  // namespace acre::amr
