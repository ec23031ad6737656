// SPDX-License-Identifier: BSD-3-Clause
// Product C = A B of tiled sparse matrices over any semiring. Each member reads its grid row of A
// one-sided, its own tile first to avoid contention, and joins these tiles. Their columns become
// row numbers of B's stacked tiles, of which spgemm.hpp reads the needed rows. SUMMA would need
// less memory, but merge partial sums.
//
// Sources: Buluç, Gilbert: Parallel sparse matrix-matrix multiplication and indexing, 2012; van de
// Geijn, Watts: SUMMA, 1997.
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

/// Keeps entries present in `matrix`, which must outlive the product.
template <class T>
[[nodiscard]] tiled_mask<T, true> masked_by(const tiled_csr_matrix<T>& matrix) {
  return {matrix};
}
template <class T>
[[nodiscard]] tiled_mask<T, false> masked_by_not(const tiled_csr_matrix<T>& matrix) {
  return {matrix};
}

namespace csr {

void check_tiled_product(const tile_cut& a, const tile_cut& b, const site& where);
void check_tiled_mask(const tile_cut& mask, const tile_cut& product, const site& where);

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

/// Converts rows of B to row numbers of its stacked tiles in one grid column.
class stacked_column {
 public:
  stacked_column(const tile_cut& cut, rank_t column);

  void restart() noexcept { row_ = 0; }
  /// Calls use(stacked row) for `columns`, which are relative to `first` and ascend until
  /// restart().
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
  std::vector<std::size_t> shifts_;
  rank_t row_ = 0;
};

/// Rows of A in this grid row, columns mapped to stacked rows of B. Collective. Cost: 2 allgathers
/// and 1 allreduce; 3 concurrent R per unmapped tile.
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

/// C = A B, restricted by `mask`, with A's row cut and B's column cut; the inner cuts may differ.
/// Collective. Cost: 6 B + 3 allreduces + 5 allgathers; across nodes 3 R per tile of A and 2 R per
/// run of rows of B: 2 n / sqrt(p) entries for n entries on p members in a square grid. Memory:
/// segment space for a grid row of A and the product; across nodes also the data read.
/// @throws acre::error on all members for mismatched teams, grids, shapes or mask, B's rows times
/// grid columns of 2^32 or more, or short memory
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
