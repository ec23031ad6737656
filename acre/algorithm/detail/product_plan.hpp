// SPDX-License-Identifier: BSD-3-Clause
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
#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::algorithm {

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

/// What of the loads of each candidate all members must know: of the largest, and the sum.
class common_loads {
 public:
  /// Of the next candidate, this member's.
  /// @param float_rate  how many times as fast as with doubles operations are
  void add(const product_load& load, double float_rate);
  /// Makes those of all members of this member's. Collective: 2 allreduces.
  void gather(const team& members, const site& where);

  [[nodiscard]] double seconds(std::size_t candidate) const { return largest_[3 * candidate]; }
  [[nodiscard]] double operations(std::size_t candidate) const {
    return largest_[3 * candidate + 1];
  }
  [[nodiscard]] double memory_bytes(std::size_t candidate) const {
    return largest_[3 * candidate + 2];
  }
  [[nodiscard]] double far_bytes(std::size_t candidate) const { return sums_[candidate]; }

 private:
  std::vector<double> largest_;  ///< seconds, operations and bytes of memory of each candidate
  std::vector<double> sums_;     ///< of bytes from other nodes
};

/// The way that is done first, by the slowest member of each, of those whose sums have room.
/// @param loads  of all members
[[nodiscard]] product_report choose_way(std::span<const product_candidate> candidates,
                                        const common_loads& loads, std::size_t memory);

}  // namespace acre::algorithm
