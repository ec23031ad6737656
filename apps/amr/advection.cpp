// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/advection.hpp>

namespace acre::amr {
namespace {

side_fluxes through_sides(const layers& u, double wind) {
  side_fluxes found;
  const double to_side = wind > 0 ? 0.5 : -0.5;
  for (std::size_t side = 0; side < found.size(); ++side) {
    const std::size_t from = ghost_layers + side - (wind > 0 ? 1 : 0);
    const plane& below = u[from - 1];
    const plane& here = u[from];
    const plane& above = u[from + 1];
    plane& flux = found[side];
    for (std::size_t k = 0; k < cells_of_plane; ++k) {
      const double slope = limited(here[k] - below[k], above[k] - here[k]);
      flux[k] = wind * (here[k] + to_side * slope);
    }
  }
  return found;
}

}  // namespace

values exact_cells(const problem& given, const location& leaf, double time) {
  values found(cells_of_leaf);
  for_each_cell(leaf, [&](std::size_t i, const point& at) { found[i] = given.exact(at, time); });
  return found;
}

border_fluxes euler_step(const problem& given, double cell_side, std::span<const double> cells,
                         const surroundings& around, std::span<double> after) {
  border_fluxes borders;
  std::ranges::copy(cells, after.begin());
  for (unsigned axis = 0; axis < axes; ++axis) {
    side_fluxes flux = through_sides(gather(cells, around, axis, 0), given.velocity[axis]);
    settle_borders(flux, around, axis, 0, borders);
    add_inflow(flux, axis, given.time_step() / cell_side, after);
  }
  return borders;
}

}  // namespace acre::amr
