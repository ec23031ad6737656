// SPDX-License-Identifier: BSD-3-Clause
// Arguments of a block matrix product, and the part that a member computes.
#pragma once

#include <acre/block/block_matrix.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/detail/block_product.hpp>
#include <acre/block/detail/product_threads.hpp>
#include <acre/block/detail/tile_tasks.hpp>
#include <acre/block/multiply_options.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace acre::block_matrices {

/// Adjacent grid rows x columns; their members share the work on their blocks of c.
struct layer_cell {
  rank_t rows = 1;
  rank_t columns = 1;
  [[nodiscard]] std::size_t layers() const noexcept { return std::size_t{rows} * columns; }
};

template <class F>
void each_cell(const member_grid& grid, F&& f) {
  for (rank_t rows = 1; rows <= grid.rows; ++rows) {
    for (rank_t columns = 1; columns <= grid.columns; ++columns) {
      if (grid.rows % rows == 0 && grid.columns % columns == 0) f(layer_cell{rows, columns});
    }
  }
}

/// Most square cell of `layers` members, or of the next smaller possible number.
[[nodiscard]] layer_cell cell_of(const member_grid& grid, std::size_t layers) noexcept;

template <class T>
struct product_call {
  T alpha;
  const block_matrix<T>& a;
  const block_matrix<T>& b;
  T beta;
  const multiply_options& options;
  site where;

  [[nodiscard]] bool is_inside(std::size_t row, std::size_t column) const noexcept {
    return options.rows.contains(row) && options.columns.contains(column);
  }
  [[nodiscard]] bool makes_new() const noexcept { return beta == T{} && !options.keep_pattern; }
  [[nodiscard]] product_part part_of(const block_matrix<T>& c, rank_t member,
                                     const layer_cell& cell) const;
  [[nodiscard]] std::size_t memory() const;
  [[nodiscard]] product_threads threads() const { return product_threads(options.threads); }
};

/// @param rows_at_once  of the part's rows, whose tiles the threads share
template <class T>
[[nodiscard]] std::size_t tile_for(const product_call<T>& call, const product_part& part,
                                   std::size_t of_left, std::size_t of_right,
                                   std::size_t rows_at_once) {
  const auto share = [&](std::size_t some, std::size_t outer) {
    const double all = static_cast<double>(outer) * static_cast<double>(part.inner.size());
    return static_cast<double>(some) / std::max(1.0, all);
  };
  const double rows = call.a.rows().mean();
  const double columns = call.b.columns().mean();
  const double inner = call.b.rows().mean();
  const double left = share(of_left, part.rows.size());
  const double right = share(of_right, part.columns.size());
  const std::size_t best = tile_size({.block_bytes = sizeof(T) * rows * columns,
                                      .density = expected_density(left, right, part.inner.size()),
                                      .factor_bytes = sizeof(T) * inner *
                                                      (rows * static_cast<double>(of_left) +
                                                       columns * static_cast<double>(of_right)),
                                      .factor_density = std::sqrt(left * right)});
  const double products = left * static_cast<double>(rows_at_once) * static_cast<double>(of_right);
  const unsigned threads =
      call.threads().worth(products * operations_each<T> * rows * columns * inner);
  if (threads == 1) return best;
  return std::min(best, tile_tasks::largest_tile(rows_at_once, part.columns.size(), threads));
}

[[nodiscard]] bool are_near(const team& members);

extern template struct product_call<float>;
extern template struct product_call<double>;
extern template struct product_call<std::complex<float>>;
extern template struct product_call<std::complex<double>>;

}  // namespace acre::block_matrices
