// Who makes which part of a product, and what that costs: the ways that are worth a look, and the
// choice among them.
//
// A way gives each member bricks: rows, inner indices and columns, whose products it makes. Bricks
// of keeps_c are a member's own tiles of c with all inner indices, and need no sums of others.
// Those of keeps_a and keeps_b are tiles of a and b with all that they meet. A grid cuts the three
// dimensions, whatever lies where: which one is best follows from the sizes and the memory.
//
// G. Kwasniewski, M. Kabić, M. Besta, J. VandeVondele, R. Solcà, T. Hoefler, "Red-blue pebbling
// revisited: near optimal parallel matrix-matrix multiplication" (2019); E. Solomonik and J.
// Demmel, "Communication-optimal parallel 2.5D matrix multiplication and LU factorization
// algorithms" (2011).
#pragma once

#include <acre/algorithm/detail/index_set.hpp>
#include <acre/algorithm/product_report.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team.hpp>
#include <acre/layout/box.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::detail {

/// Rows, inner indices and columns of a product.
using product_extents = layout::coordinates<3>;

/// A part of a product: all rows with all columns, summed over all inner indices.
struct brick {
  index_set rows;
  index_set inner;
  index_set columns;

  [[nodiscard]] std::size_t sums() const noexcept { return rows.size() * columns.size(); }
  [[nodiscard]] double operations() const noexcept {
    return 2.0 * static_cast<double>(sums()) * static_cast<double>(inner.size());
  }
};
[[nodiscard]] std::size_t sums_of(std::span<const brick> bricks) noexcept;

struct product_candidate {
  product_way way = product_way::keeps_c;
  product_extents grid{1, 1, 1};
};

/// The brick of a member of a grid; none where it has more members than parts.
[[nodiscard]] std::vector<brick> grid_bricks(const product_extents& all,
                                             const product_extents& grid, rank_t member);
/// Those of tiles that stay where they are: of a, b or c, by the way.
[[nodiscard]] std::vector<brick> tile_bricks(const product_extents& all, product_way way,
                                             const std::vector<layout::box<2>>& tiles);

/// Of all ways to cut a product for so many members, those that move least if nothing lies where it
/// is needed. Members without a part are few.
[[nodiscard]] std::vector<product_candidate> best_grids(const product_extents& all, rank_t members);

/// What one member does in some way.
struct product_load {
  double operations = 0;         ///< of real numbers
  std::size_t read_bytes = 0;    ///< from anywhere
  std::size_t far_bytes = 0;     ///< of those, from other nodes
  std::size_t memory_bytes = 0;  ///< for sums that others fetch
};

/// Agrees on the way that is done first, by the slowest member of each. Collective: 2 allreduces.
/// @param loads  this member's, of each candidate
/// @param float_rate  how many times as fast as with doubles operations are
/// @return its number among the candidates, and the report
struct product_choice {
  std::size_t number;
  product_report report;
};
[[nodiscard]] product_choice choose_way(const team& members,
                                        std::span<const product_candidate> candidates,
                                        std::span<const product_load> loads, double float_rate,
                                        std::size_t memory, const site& where);

}  // namespace acre::detail
