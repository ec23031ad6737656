// c = alpha a b + beta c, where each member makes its own blocks of c, or in layers a share of the
// products of several members' (2.5-D).
//
// Members of a cell of the grid, layers of them, share the blocks of c of all of them: each takes
// the products of a part of the inner indices, and gives what it has made to the owners, who add it
// in the order of the members. So a member reads fewer rows of a and columns of b, each for a part
// of the inner indices, and sends shares of c for it.
#pragma once

#include <acre/sparse/block_multiply.hpp>
#include <acre/sparse/detail/block_product.hpp>

#include <cstddef>

namespace acre::detail {

/// Members that share their blocks of c: rows x columns of the grid.
struct layer_cell {
  rank_t rows = 1;
  rank_t columns = 1;
  [[nodiscard]] std::size_t layers() const noexcept { return std::size_t{rows} * columns; }
};

/// The cell of so many members that reads and sends least; the next smaller number where the grid
/// has no such cells.
[[nodiscard]] layer_cell cell_of(const member_grid& grid, std::size_t layers) noexcept;

/// What is asked of a product, of factors that are multiplied as they are.
template <class T>
struct product_call {
  T alpha;
  const block_matrix<T>& a;
  const block_matrix<T>& b;
  T beta;
  const multiply_options& options;
  site where;

  /// What this member works on, in layers of so many.
  [[nodiscard]] product_part part_of(const block_matrix<T>& c, const layer_cell& cell) const;
};

/// Between the first barrier of a product and its last.
template <class T>
void one_sided_product(const product_call<T>& call, block_matrix<T>& c, const layer_cell& cell,
                       multiply_report& report);

}  // namespace acre::detail
