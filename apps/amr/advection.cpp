// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/advection.hpp>

#include <numbers>

namespace acre::amr {
namespace {

using layers = std::array<plane, cells_along + 2 * ghost_layers>;
using side_fluxes = std::array<plane, cells_along + 1>;

layers gather(std::span<const double> cells, const surroundings& around, unsigned axis) {
  layers found;
  const face low = face_of(axis, false);
  const values& below = around.ghosts[number_of(low)];
  const values& above = around.ghosts[number_of(opposite(low))];
  for (std::size_t layer = 0; layer < ghost_layers; ++layer) {
    const std::size_t from = layer * cells_of_plane;
    std::copy_n(&below[from], cells_of_plane, found[ghost_layers - 1 - layer].begin());
    std::copy_n(&above[from], cells_of_plane, found[ghost_layers + cells_along + layer].begin());
  }
  for (std::size_t depth = 0; depth < cells_along; ++depth) {
    plane& to = found[ghost_layers + depth];
    for (std::size_t i = 0; i < cells_along; ++i) {
      for (std::size_t j = 0; j < cells_along; ++j) {
        to[i * cells_along + j] = cells[cell_behind(low, depth, i, j)];
      }
    }
  }
  return found;
}

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

void add_inflow(const side_fluxes& flux, unsigned axis, double factor, std::span<double> after) {
  const face low = face_of(axis, false);
  for (std::size_t depth = 0; depth < cells_along; ++depth) {
    for (std::size_t i = 0; i < cells_along; ++i) {
      for (std::size_t j = 0; j < cells_along; ++j) {
        const std::size_t k = i * cells_along + j;
        after[cell_behind(low, depth, i, j)] += factor * (flux[depth][k] - flux[depth + 1][k]);
      }
    }
  }
}

}  // namespace

double problem::time_step() const noexcept {
  const double speed = std::abs(velocity[0]) + std::abs(velocity[1]) + std::abs(velocity[2]);
  return courant * location{finest, {}}.side() / cells_along / speed;
}

double problem::exact(const point& where, double time) const noexcept {
  double square = 0;
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double apart = where[axis] - centre[axis] - velocity[axis] * time;
    const double nearest = apart - std::round(apart);
    square += nearest * nearest;
  }
  if (square >= radius * radius) return 0;
  const double wave = 0.5 + 0.5 * std::cos(std::numbers::pi * std::sqrt(square) / radius);
  return wave * wave;
}

point middle_of(const location& leaf, std::size_t x, std::size_t y, std::size_t z) noexcept {
  const std::array<std::size_t, axes> cell{x, y, z};
  point found{};
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double inside = (static_cast<double>(cell[axis]) + 0.5) / cells_along;
    found[axis] = (leaf.at[axis] + inside) * leaf.side();
  }
  return found;
}

values exact_cells(const problem& given, const location& leaf, double time) {
  values found;
  found.reserve(cells_of_leaf);
  for (std::size_t x = 0; x < cells_along; ++x) {
    for (std::size_t y = 0; y < cells_along; ++y) {
      for (std::size_t z = 0; z < cells_along; ++z) {
        found.push_back(given.exact(middle_of(leaf, x, y, z), time));
      }
    }
  }
  return found;
}

border_fluxes euler_step(const problem& given, double cell_side, std::span<const double> cells,
                         const surroundings& around, std::span<double> after) {
  border_fluxes borders;
  std::ranges::copy(cells, after.begin());
  for (unsigned axis = 0; axis < axes; ++axis) {
    side_fluxes flux = through_sides(gather(cells, around, axis), given.velocity[axis]);
    for (const bool high : {false, true}) {
      const unsigned f = number_of(face_of(axis, high));
      plane& border = high ? flux.back() : flux.front();
      // Conservation: the finer side determines the flux.
      if (!around.fluxes[f].empty()) std::ranges::copy(around.fluxes[f], border.begin());
      borders[f] = border;
    }
    add_inflow(flux, axis, given.time_step() / cell_side, after);
  }
  return borders;
}

}  // namespace acre::amr
