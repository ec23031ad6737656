// SPDX-License-Identifier: BSD-3-Clause
// Product of a tiled sparse and a dense matrix with short rows.
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

/// Y = A X, as tiled_spmv.hpp; X and Y distinct, with any cuts. Collective. Cost: B and 2
/// allreduces; if the workspace grows 1 allgather, and B after the first time; R per owner of
/// needed rows of X, concurrently, then R per tile with rows of Y: 2 n / sqrt(p) rows for n rows on
/// p members in a square grid. Memory: a row of sums per tile row, kept in A; copies of rows of X
/// unless contiguous and mapped.
/// @throws acre::error on all members for mismatched shapes or teams, or short memory
template <class S, class T, class X, class Y>
  requires semiring<S, T, X>
void spmm(const tiled_csr_matrix<T>& a, const dense_rows<X>& x, dense_rows<Y>& y,
          const site& where = site::current()) {
  using value = typename S::value_type;
  const team& members = a.members();
  global::require_same_operands(members, "spmm", where, a, x, y);
  const std::size_t width = x.width();
  csr::check_equal("spmm", "the columns of the matrix", a.columns(), "the rows of X", x.rows(),
                   where);
  csr::check_equal("spmm", "the columns of X", width, "the columns of Y", y.width(), where);
  csr::check_equal("spmm", "the rows of the matrix", a.rows(), "the rows of Y", y.rows(), where);
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
