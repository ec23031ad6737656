// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/sweep.hpp>

#include <algorithm>

namespace acre::amr {

layers gather(std::span<const double> cells, const surroundings& around, unsigned axis,
              std::size_t quantity) {
  layers found;
  const face low = face_of(axis, false);
  const double* const below = &around.ghosts[number_of(low)][quantity * ghosts_of_face];
  const double* const above = &around.ghosts[number_of(opposite(low))][quantity * ghosts_of_face];
  for (std::size_t layer = 0; layer < ghost_layers; ++layer) {
    const std::size_t from = layer * cells_of_plane;
    std::copy_n(below + from, cells_of_plane, found[ghost_layers - 1 - layer].begin());
    std::copy_n(above + from, cells_of_plane, found[ghost_layers + cells_along + layer].begin());
  }
  const std::span<const double> own = cells.subspan(quantity * cells_of_leaf, cells_of_leaf);
  for (std::size_t depth = 0; depth < cells_along; ++depth) {
    plane& to = found[ghost_layers + depth];
    for (std::size_t i = 0; i < cells_along; ++i) {
      for (std::size_t j = 0; j < cells_along; ++j) {
        to[i * cells_along + j] = own[cell_behind(low, depth, i, j)];
      }
    }
  }
  return found;
}

void settle_borders(side_fluxes& flux, const surroundings& around, unsigned axis,
                    std::size_t quantity, border_fluxes& borders) {
  for (const bool high : {false, true}) {
    const unsigned f = number_of(face_of(axis, high));
    plane& border = high ? flux.back() : flux.front();
    const values& finer = around.fluxes[f];
    if (!finer.empty())
      std::copy_n(&finer[quantity * cells_of_plane], cells_of_plane, border.begin());
    borders[f].insert(borders[f].end(), border.begin(), border.end());
  }
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

}  // namespace acre::amr
