// SPDX-License-Identifier: BSD-3-Clause
// The product of two sparse matrices in tiles, C = A B, over any semiring.
//
//     auto c = acre::spgemm<acre::semirings::plus_times<double>>(a, b);
//     auto t = acre::spgemm<acre::semirings::plus_pair<long>>(l, l, acre::masked_by(l));
//
// A tile of C is the product of a row of tiles of A and a column of tiles of B. Each member reads
// those of A one-sided, all at once and beginning with its own, so that the members of a row of the
// grid do not begin at one of them; and joins them to the rows that they are parts of, their
// columns turned into the rows of B's tiles in its column of the grid. Then tiles are rows of
// matrices, and the product of these (spgemm.hpp) reads of B's tiles the rows that are named, in
// place in a node, and makes each row of C in one accumulator.
//
// SUMMA goes through the tiles in stages instead, and keeps one of each matrix; but then a row of C
// is as many partial sums as there are stages, which are sorted, kept and merged. What is read is
// the same. The memory of all tiles at once is 1 / sqrt(members) of a matrix, as is that of the
// vectors of spmv.
//
// Source: Buluç, Gilbert: Parallel sparse matrix-matrix multiplication and indexing: implementation
// and experiments, SIAM Journal on Scientific Computing, 2012 (tiles, and what they read); van de
// Geijn, Watts: SUMMA: scalable universal matrix multiplication algorithm, 1997.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/mask.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/completion.hpp>

#include <cstddef>
#include <vector>

namespace acre {

template <class T, bool KeepsListed>
struct tiled_mask {
  const tiled_csr_matrix<T>& matrix;
};

/// Entries that a matrix in tiles has, too; it outlives the product.
template <class T>
[[nodiscard]] tiled_mask<T, true> masked_by(const tiled_csr_matrix<T>& matrix) {
  return {matrix};
}
/// Entries that it has not.
template <class T>
[[nodiscard]] tiled_mask<T, false> masked_by_not(const tiled_csr_matrix<T>& matrix) {
  return {matrix};
}

namespace csr {

/// @throws acre::error when there is no product of tiles so cut
void check_tiled_product(const tile_cut& a, const tile_cut& b, const site& where);
/// @throws acre::error when the mask is not cut as the product
void check_tiled_mask(const tile_cut& mask, const tile_cut& product, const site& where);

/// A mask of tiles as one of the rows of the stack that they are.
inline no_mask mask_of_stack(const no_mask& none, const team&, const tile_cut&, const site&) {
  return none;
}
template <class T, bool KeepsListed>
[[nodiscard]] matrix_mask<T, KeepsListed> mask_of_stack(const tiled_mask<T, KeepsListed>& mask,
                                                        const team& members,
                                                        const tile_cut& product,
                                                        const site& where) {
  global::check_same_team("spgemm", "the mask", mask.matrix.members(), "A", members, where);
  check_tiled_mask(mask.matrix.cut(), product, where);
  return {mask.matrix.stacked()};
}

/// Which rows of the stack of B's tiles are in one column of the grid, by their numbers in B.
class stacked_column {
 public:
  stacked_column(const tile_cut& cut, rank_t column);

  /// use(place in `columns`, its row of the stack); columns count from `first` and ascend, in one
  /// call and from call to call until restart().
  void restart() noexcept { row_ = 0; }
  template <class Use>
  void each(std::size_t first, std::span<const column_t> columns, Use&& use) {
    for (const column_t column : columns) {
      const std::size_t wanted = first + column;
      while (wanted >= rows_.first_of(row_ + 1)) ++row_;
      use(static_cast<column_t>(wanted + shifts_[row_]));
    }
  }

 private:
  row_cut rows_;
  std::vector<std::size_t>
      shifts_;      ///< of each row of the grid: from a row of B to one of the stack
  rank_t row_ = 0;  ///< of the grid
};

/// The rows of A that a member's row of the grid has, with the rows of the stack of B's tiles that
/// their columns mean in its column of the grid. Collective. Cost: 2 allgathers and 1 allreduce; 3
/// R at once for each tile of the row that is not mapped here.
template <class T>
[[nodiscard]] csr_matrix<T> joined_rows(const tiled_csr_matrix<T>& a, const tile_cut& b,
                                        const site& where) {
  const member_grid& grid = a.grid();
  const rank_t me = a.members().rank();
  const rank_t row_of_grid = grid.row_of(me);
  const rank_t own = grid.column_of(me);
  std::size_t entries = 0;
  for (rank_t column = 0; column < grid.columns; ++column) {
    entries += a.stacked().entries_of(grid.member(row_of_grid, column));
  }
  const auto fill = [&](const typename csr_matrix<T>::room& made) {
    std::vector<csr_tile<T>> tiles(grid.columns);
    const global::quiet_on_failure reads_end;
    for (rank_t i = 0; i < grid.columns; ++i) {
      const rank_t column = (own + i) % grid.columns;
      tiles[column] = a.tile_nbi(grid.member(row_of_grid, column), where);
    }
    quiet();
    stacked_column to_stack(b, own);
    std::size_t place = 0;
    made.offsets[0] = 0;
    for (std::size_t row = 0; row + 1 < made.offsets.size(); ++row) {
      to_stack.restart();
      for (const csr_tile<T>& tile : tiles) {
        if constexpr (tiled_csr_matrix<T>::has_values) {
          for (std::size_t i = tile.rows.begin_of(row); i < tile.rows.end_of(row); ++i) {
            made.values[place + i - tile.rows.begin_of(row)] = tile.rows.value(i);
          }
        }
        to_stack.each(tile.first_column, tile.rows.columns_of(row),
                      [&](column_t of_stack) { made.columns[place++] = of_stack; });
      }
      made.offsets[row + 1] = place;
    }
  };
  return csr_matrix<T>(a.members(), a.cut().stacked(), b.stacked().rows(), entries, fill, where);
}

}  // namespace csr

/// C = A B, of the entries that a mask lets through. Its tiles have the rows of A's and the columns
/// of B's; how A's columns and B's rows are cut may differ. Collective.
/// Cost: 6 B, 3 allreduces and 5 allgathers; over a network 3 R for each tile of A in this member's
/// row of the grid, and R for each run of rows of B that is needed of the tiles in its column: at
/// most all bytes of these tiles, and two words for each row of B that is needed. Of matrices of n
/// entries on p members in a square grid these are 2 n / sqrt(p) entries.
/// Memory: in the segment a row of tiles of A beside the product; over a network what is read, too.
/// @throws acre::error on all members when A and B are of different teams or grids, A has another
/// number of columns than B has rows, B's rows times the columns of the grid are 2^32 or more, the
/// mask is not cut as C is or of another team, or one has no room
template <class S, class A, class B, class Mask = no_mask>
  requires semiring<S, A, B>
[[nodiscard]] tiled_csr_matrix<typename S::value_type> spgemm(const tiled_csr_matrix<A>& a,
                                                              const tiled_csr_matrix<B>& b,
                                                              const Mask& mask = {},
                                                              const site& where = site::current()) {
  global::check_same_team("spgemm", "B", b.members(), "A", a.members(), where);
  global::require_same_operands(a.members(), "spgemm", where, a, b, mask);
  csr::check_tiled_product(a.cut(), b.cut(), where);
  const tile_cut cut(a.grid(), a.cut().rows(), b.cut().columns(), where);
  const auto of_stack = csr::mask_of_stack(mask, a.members(), cut, where);
  a.members().barrier(where);
  const csr_matrix<A> rows = csr::joined_rows(a, b.cut(), where);
  return {cut, spgemm<S>(rows, b.stacked(), of_stack, where), where};
}

}  // namespace acre
