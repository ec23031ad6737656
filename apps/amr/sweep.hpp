// SPDX-License-Identifier: BSD-3-Clause
// A leaf's cells as planes along one axis, between those of its neighbours, for fluxes through the
// sides of cells.
#pragma once

#include <apps/amr/cells.hpp>

#include <array>
#include <span>

namespace acre::amr {

/// Two ghost planes, the planes of the leaf, two ghost planes.
using layers = std::array<plane, cells_along + 2 * ghost_layers>;
/// Fluxes through the lower side of each plane of the leaf, and through the upper side of the last.
using side_fluxes = std::array<plane, cells_along + 1>;

struct surroundings {
  std::array<values, 6> ghosts;  ///< of each quantity two layers, nearest first: 2 x 8 x 8
  /// Of each quantity the flux along the axis from finer neighbours: 8 x 8; else empty.
  std::array<values, 6> fluxes;
};

/// Of each quantity the flux through each face: 8 x 8.
using border_fluxes = std::array<values, 6>;

/// @param quantity  number of the quantity of `cells` and `around`
[[nodiscard]] layers gather(std::span<const double> cells, const surroundings& around,
                            unsigned axis, std::size_t quantity);

/// Takes the fluxes of finer neighbours, whose side determines them, and notes all border fluxes.
void settle_borders(side_fluxes& flux, const surroundings& around, unsigned axis,
                    std::size_t quantity, border_fluxes& borders);

void add_inflow(const side_fluxes& flux, unsigned axis, double factor, std::span<double> after);

}  // namespace acre::amr
