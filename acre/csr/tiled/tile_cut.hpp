// SPDX-License-Identifier: BSD-3-Clause
// Checks tile cuts (layout/tile_cut.hpp) of operands.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/layout/member_grid.hpp>
#include <acre/layout/tile_cut.hpp>

namespace acre::csr {

/// @throws acre::error if the grid does not match the team size
void check_grid(const char* call, const member_grid& grid, rank_t members, const site& where);
/// @throws acre::error if the cuts or grids differ
void check_same_tiles(const char* call, const char* what, const tile_cut& one,
                      const tile_cut& other, const site& where);

}  // namespace acre::csr
