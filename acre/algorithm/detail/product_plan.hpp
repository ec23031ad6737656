// SPDX-License-Identifier: BSD-3-Clause
// Bricks (rows, inner indices, columns) that an algorithm assigns to members: tiles of c with all
// inner indices (keeps_c), tiles of a or b with their factors (keeps_a, keeps_b), or a grid.
//
// G. Kwasniewski et al., "Red-blue pebbling revisited: near optimal parallel matrix-matrix
// multiplication" (2019); E. Solomonik, J. Demmel, "Communication-optimal parallel 2.5D matrix
// multiplication and LU factorization algorithms" (2011).
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

using product_extents = layout::coordinates<3>;

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
  product_algorithm algorithm = product_algorithm::keeps_c;
  product_extents grid{1, 1, 1};
};

[[nodiscard]] std::vector<brick> grid_bricks(const product_extents& all,
                                             const product_extents& grid, rank_t member);
[[nodiscard]] std::vector<brick> tile_bricks(const product_extents& all,
                                             product_algorithm algorithm,
                                             const std::vector<layout::box<2>>& tiles);

/// At most four grids that move the fewest elements if all operands are remote.
[[nodiscard]] std::vector<product_candidate> best_grids(const product_extents& all, rank_t members);

struct product_load {
  double operations = 0;
  std::size_t read_bytes = 0;
  std::size_t far_bytes = 0;  ///< from other nodes
  std::size_t memory_bytes = 0;
};

/// Maxima and sums over members, per candidate.
class common_loads {
 public:
  void add(const product_load& load, double float_rate);
  /// Collective: 2 allreduces.
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
  std::vector<double> largest_;
  std::vector<double> sums_;
};

/// Returns the algorithm whose slowest member is fastest, among those that fit `memory`.
[[nodiscard]] product_report choose_way(std::span<const product_candidate> candidates,
                                        const common_loads& loads, std::size_t memory);

}  // namespace acre::algorithm
