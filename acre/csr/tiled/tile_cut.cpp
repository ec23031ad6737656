// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/tiled/tile_cut.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <string>

namespace acre::csr {

void check_grid(const char* call, const member_grid& grid, rank_t members, const site& where) {
  if (grid.size() == members) return;
  throw error(call,
              "the grid is " + layout::extents_text(grid) + ", but the team has " +
                  std::to_string(members) + " members" + describe_place(where),
              "the grid must have one tile per member");
}

void check_same_tiles(const char* call, const char* what, const tile_cut& one,
                      const tile_cut& other, const site& where) {
  if (one == other) return;
  throw error(
      call,
      std::string(what) + " has another tile_cut than the first matrix" + describe_place(where),
      "construct both with one tile_cut: tiled(by_rows(b), a.cut())");
}

}  // namespace acre::csr
