// SPDX-License-Identifier: BSD-3-Clause
// The product of a sparse matrix in tiles and a dense one of short rows: Y = A X over any semiring.
//
//     acre::spmm<acre::semirings::plus_times<float>>(t, x, y);
//
// As spmv (tiled_spmv.hpp), of rows for elements: each member reads the rows of X that its column
// of the grid has, and multiplies its tile. Who has rows of Y reads the sums of the tiles of their
// row of the grid, and adds them from left to right: so the same call gives the same bits.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spmm.hpp>
#include <acre/csr/tiled/detail/add_tiles.hpp>
#include <acre/csr/tiled/detail/run_at_hand.hpp>
#include <acre/csr/tiled/detail/tile_sums.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <algorithm>
#include <cstddef>

namespace acre {

/// Y = A X. X and Y are cut in any way; X is not Y. Collective. Cost: B and 2 allreduces, and 1
/// allgather the first time, and B as well when a row of sums has more bytes than any before; R for
/// each member that has rows of X of this member's column of the grid, all of them at once, and
/// then R for each column of the grid. Of n rows and columns on p members in a square grid these
/// are 2 n / sqrt(p) rows. Memory: in the segment a row of Y for each row of this member's tile,
/// kept in A; the rows of X and of sums that are read, except where they lie in one piece that is
/// mapped here.
/// @throws acre::error on all members when X has another number of rows than A has columns, Y than
/// A has rows, X another width than Y, they are of different teams, or one has no room
template <class S, class T, class X, class Y>
  requires semiring<S, T, X>
void spmm(const tiled_csr_matrix<T>& a, const dense_rows<X>& x, dense_rows<Y>& y,
          const site& where = site::current()) {
  using value = typename S::value_type;
  const team& members = a.members();
  global::require_same_operands(members, "spmm", where, a, x, y);
  const std::size_t width = x.width();
  csr::check_equal("spmm", "the columns", a.columns(), "the rows of X", x.rows(), where);
  csr::check_equal("spmm", "the columns of X", width, "those of Y", y.width(), where);
  csr::check_equal("spmm", "the rows", a.rows(), "those of Y", y.rows(), where);
  global::check_same_team("spmm", "X", x.members(), "the matrix", members, where);
  global::check_same_team("spmm", "Y", y.members(), "the matrix", members, where);
  const csr::tile_sums& sums = csr::tiled_access::sums(a, width * sizeof(value), "spmm", where);
  members.barrier(where);
  global::succeed_together(members, "spmm", where, [&] {
    const csr_rows<T> tile = a.local();
    const csr::run_at_hand<X> rows_of_x(x, x.cut(), width, a.first_local_column(),
                                        a.cut().columns_of(members.rank()));
    value* const mine = sums.mine<value>();
    for (std::size_t row = 0; width != 0 && row < tile.count; ++row) {
      value* const sums_of_row = mine + row * width;
      std::fill_n(sums_of_row, width, S::zero());
      for (std::size_t i = tile.begin_of(row); i < tile.end_of(row); ++i) {
        csr::add_multiples<S>(sums_of_row, tile.value(i),
                              rows_of_x.values() + tile.columns[i] * width, width);
      }
    }
  });
  global::succeed_together(members, "spmm", where, [&] {
    const auto results = y.local();
    const rank_t me = members.rank();
    csr::add_tiles<S>(a.cut(), sums, {y.cut().first_of(me), y.cut().count_of(me), width},
                      [&](std::size_t i, const value& sum) { results[i] = static_cast<Y>(sum); });
  });
}

}  // namespace acre
