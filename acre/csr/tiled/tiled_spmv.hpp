// SPDX-License-Identifier: BSD-3-Clause
// Product of a tiled sparse matrix and a vector. Owners of y add tile sums from left to right:
// bitwise reproducible.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/csr/tiled/detail/add_tiles.hpp>
#include <acre/csr/tiled/detail/run_at_hand.hpp>
#include <acre/csr/tiled/detail/tile_sums.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <cstddef>

namespace acre {

/// y = A x for chosen elements; x and y distinct, with any cuts. Collective. Cost: B and 1
/// allreduce; if the workspace grows 1 allgather, and B after the first time; R per owner of needed
/// elements of x, concurrently, then R per tile with rows of y: 2 n / sqrt(p) elements for n on p
/// members in a square grid.
/// @param rows  predicate on local numbers of y
/// @throws acre::error on all members for mismatched sizes, cuts or teams, or short memory
template <class S, class T, row_vector X, row_vector Y, class Rows = all_rows>
  requires semiring<S, T, typename X::value_type>
void spmv(const tiled_csr_matrix<T>& a, const X& x, Y& y, into target = into::result,
          Rows rows = {}, const site& where = site::current()) {
  using value = typename S::value_type;
  using element = typename Y::value_type;
  const team& members = a.members();
  const row_cut cut_of_y = cut_of(y);
  global::require_same_operands(members, "spmv", where, a, x, y);
  csr::check_equal("spmv", "the columns of the matrix", a.columns(), "the elements of x", x.size(),
                   where);
  csr::check_equal("spmv", "the rows of the matrix", a.rows(), "the elements of y", cut_of_y.rows(),
                   where);
  global::check_same_team("spmv", "x", x.members(), "the matrix", members, where);
  global::check_same_team("spmv", "y", y.members(), "the matrix", members, where);
  csr::check_chosen("spmv", rows, "y", members, cut_of_y, where);
  const csr::tile_sums& sums = csr::tiled_access::sums(a, sizeof(value), "spmv", where);
  members.barrier(where);
  global::succeed_together(members, "spmv", where, [&] {
    const csr_rows<T> tile = a.local();
    const csr::run_at_hand<typename X::value_type> elements(x, cut_of(x), 1, a.first_local_column(),
                                                            a.cut().columns_of(members.rank()));
    value* const mine = sums.mine<value>();
    for (std::size_t row = 0; row < tile.count; ++row) {
      mine[row] = csr::row_sum<S>(tile, tile.columns, elements.values(), tile.begin_of(row),
                                  tile.end_of(row));
    }
  });
  const auto results = y.local();
  csr::add_tiles<S>(a.cut(), sums, {cut_of_y.first_of(members.rank()), results.size()},
                    [&](std::size_t i, const value& sum) {
                      if (!rows(i)) return;
                      results[i] =
                          static_cast<element>(target == into::sum ? S::add(results[i], sum) : sum);
                    });
}

}  // namespace acre
