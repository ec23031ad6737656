// SPDX-License-Identifier: BSD-3-Clause
// Entry-wise operations on tiled matrices, as elementwise.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/tiled/detail/add_tiles.hpp>
#include <acre/csr/tiled/detail/tile_sums.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/global/team/same_team.hpp>

#include <concepts>
#include <cstddef>

namespace acre {

namespace csr {

/// Function of stacked coordinates that calls f with matrix coordinates.
template <class T, class F>
[[nodiscard]] auto at_places_of(const tiled_csr_matrix<T>& a, F& f) {
  const std::size_t rows_above = a.stacked().first_local_row() - a.first_local_row();
  return [&f, rows_above, first_column = a.first_local_column()](
             std::size_t row, std::size_t column, const T& value) {
    return f(row - rows_above, first_column + column, value);
  };
}

}  // namespace csr

/// Returns the entries for which keep(row, column, value) holds. Collective. Cost, also of all
/// functions below that return a matrix: 2 allgathers + 3 allreduces.
/// @throws the exception of `keep`; acre::error on the others
template <class T, std::predicate<std::size_t, std::size_t, const T&> Keep>
[[nodiscard]] tiled_csr_matrix<T> select(const tiled_csr_matrix<T>& a, Keep&& keep,
                                         const site& where = site::current()) {
  return {a.cut(), select(a.stacked(), csr::at_places_of(a, keep), where), where};
}

/// Matrix of f(value), or f(row, column, value). Collective. @throws as select
template <class T, class F>
  requires std::invocable<F&, const T&> || std::invocable<F&, std::size_t, std::size_t, const T&>
[[nodiscard]] auto apply(const tiled_csr_matrix<T>& a, F&& f, const site& where = site::current()) {
  if constexpr (std::invocable<F&, const T&>) {
    return tiled_csr_matrix(a.cut(), apply(a.stacked(), f, where), where);
  } else {
    return tiled_csr_matrix(a.cut(), apply(a.stacked(), csr::at_places_of(a, f), where), where);
  }
}

/// Union of entries; f combines values in equal places. Collective.
/// @throws acre::error on all members if cuts, grids or teams differ
template <class T, std::invocable<const T&, const T&> F>
[[nodiscard]] tiled_csr_matrix<T> ewise_add(const tiled_csr_matrix<T>& a,
                                            const tiled_csr_matrix<T>& b, F&& f,
                                            const site& where = site::current()) {
  csr::check_same_tiles("ewise_add", "the second matrix", b.cut(), a.cut(), where);
  return {a.cut(), ewise_add(a.stacked(), b.stacked(), f, where), where};
}

/// Intersection of entries, combined by f. Collective.
/// @throws as ewise_add
template <class A, class B, std::invocable<const A&, const B&> F>
[[nodiscard]] auto ewise_multiply(const tiled_csr_matrix<A>& a, const tiled_csr_matrix<B>& b, F&& f,
                                  const site& where = site::current()) {
  csr::check_same_tiles("ewise_multiply", "the second matrix", b.cut(), a.cut(), where);
  return tiled_csr_matrix(a.cut(), ewise_multiply(a.stacked(), b.stacked(), f, where), where);
}

/// Sums each row, zero if empty; `sums` has any cut. Collective. Cost: 2 B; if the workspace grows
/// 1 allgather, and B after the first time; R per tile with rows of `sums`.
/// @throws acre::error on all members for mismatched sizes or teams, or short memory
template <class Monoid, class T, row_vector Sums>
  requires additive<Monoid>
void reduce_rows(const tiled_csr_matrix<T>& a, Sums& sums, const site& where = site::current()) {
  using value = typename Monoid::value_type;
  const team& members = a.members();
  const row_cut cut = cut_of(sums);
  csr::check_equal("reduce_rows", "the rows of the matrix", a.rows(), "the elements of the vector",
                   cut.rows(), where);
  global::check_same_team("reduce_rows", "the vector", sums.members(), "the matrix", members,
                          where);
  const csr::tile_sums& of_tiles = csr::tiled_access::sums(a, sizeof(value), "reduce_rows", where);
  members.barrier(where);
  const csr_rows<T> tile = a.local();
  value* const mine = of_tiles.mine<value>();
  for (std::size_t row = 0; row < tile.count; ++row) {
    mine[row] = csr::sum_of_row<Monoid>(tile, row);
  }
  members.barrier(where);
  const auto results = sums.local();
  csr::add_tiles<Monoid>(a.cut(), of_tiles, {cut.first_of(members.rank()), results.size()},
                         [&](std::size_t i, const value& sum) { results[i] = sum; });
}

/// Sums all entries, on all members. Collective. Cost: 1 allreduce.
template <class Monoid, class T>
  requires additive<Monoid>
[[nodiscard]] typename Monoid::value_type reduce(const tiled_csr_matrix<T>& a,
                                                 const site& where = site::current()) {
  return reduce<Monoid>(a.stacked(), where);
}

}  // namespace acre
