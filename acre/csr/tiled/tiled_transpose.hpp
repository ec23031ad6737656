// SPDX-License-Identifier: BSD-3-Clause
// Transposes and conjugate transposes of tiled sparse matrices.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/detail/add_entries.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_builder.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/layout/member_grid.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace acre {

namespace csr {

template <class T, class F>
void turn(const csr_rows<T>& rows, F&& f, const typename csr_matrix<T>::room& made) {
  std::ranges::fill(made.offsets, 0);
  for (std::size_t i = 0; i < rows.entries(); ++i) ++made.offsets[rows.columns[i] + std::size_t{1}];
  std::partial_sum(made.offsets.begin(), made.offsets.end(), made.offsets.begin());
  std::vector<std::uint64_t> next(made.offsets.begin(), made.offsets.end() - 1);
  for (std::size_t row = 0; row < rows.count; ++row) {
    for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
      const std::size_t place = next[rows.columns[i]]++;
      made.columns[place] = static_cast<column_t>(row);
      if constexpr (csr_matrix<T>::has_values) made.values[place] = f(rows.value(i));
    }
  }
}

template <class T, class F>
[[nodiscard]] tiled_csr_matrix<T> turned(const tiled_csr_matrix<T>& a, F&& f, const site& where) {
  const team& members = a.members();
  const tile_cut cut = a.cut().transposed();
  const rank_t me = members.rank();
  const rank_t source = a.grid().member(cut.grid().column_of(me), cut.grid().row_of(me));
  members.barrier(where);
  csr_matrix<T> tiles(
      members, cut.stacked(), cut.widest(), a.stacked().entries_of(source),
      [&](const typename csr_matrix<T>::room& made) {
        const csr_tile<T> tile = a.tile(source, where);
        turn(tile.rows, f, made);
      },
      where);
  return {cut, std::move(tiles), where};
}

template <class T, class F>
[[nodiscard]] tiled_csr_matrix<T> turned(const char* call, const tiled_csr_matrix<T>& a,
                                         const tile_cut& cut, F&& f, const site& where) {
  check_equal(call, "the columns of the matrix", a.columns(), "the rows of the result",
              cut.rows().rows(), where);
  check_equal(call, "the rows of the matrix", a.rows(), "the columns of the result",
              cut.columns().rows(), where);
  tiled_csr_builder<T> result(a.members(), cut, where);
  const csr_rows<T> mine = a.local();
  const std::size_t first_column = a.first_local_column();
  add_entries(call, a.members(), mine, where,
              [&](std::size_t row, std::size_t column, const T& value) {
                result.add(first_column + column, row, f(value));
              });
  return result.finish(where);
}

}  // namespace csr

/// Transpose, cut as a.cut().transposed(): each member reads and transposes one tile.
/// Collective. Cost: B + 2 allgathers + 1 allreduce; 3 concurrent R for an unmapped tile.
/// @throws acre::error on all members if a tile has 2^32 or more rows, or for short memory
template <class T>
[[nodiscard]] tiled_csr_matrix<T> transpose(const tiled_csr_matrix<T>& a,
                                            const site& where = site::current()) {
  return csr::turned(a, [](const T& value) { return value; }, where);
}
/// Transpose in any cut or grid. Collective. Cost: 1 allreduce + csr_builder.
/// @throws acre::error on all members for a mismatched shape or grid, or short memory
template <class T>
[[nodiscard]] tiled_csr_matrix<T> transpose(const tiled_csr_matrix<T>& a, const tile_cut& cut,
                                            const site& where = site::current()) {
  return csr::turned("transpose", a, cut, [](const T& value) { return value; }, where);
}

/// Transpose of conjugated values. Collective. Cost, errors: as transpose().
template <class T>
[[nodiscard]] tiled_csr_matrix<T> conjugate_transpose(const tiled_csr_matrix<T>& a,
                                                      const site& where = site::current()) {
  return csr::turned(a, base::conjugate<T>, where);
}
template <class T>
[[nodiscard]] tiled_csr_matrix<T> conjugate_transpose(const tiled_csr_matrix<T>& a,
                                                      const tile_cut& cut,
                                                      const site& where = site::current()) {
  return csr::turned("conjugate_transpose", a, cut, base::conjugate<T>, where);
}

template <class T>
[[nodiscard, deprecated("transpose(a) makes a copy; transposed(x) is a view")]]
tiled_csr_matrix<T> transposed(const tiled_csr_matrix<T>& a, const site& where = site::current()) {
  return transpose(a, where);
}
template <class T>
[[nodiscard, deprecated("transpose(a) makes a copy; transposed(x) is a view")]]
tiled_csr_matrix<T> transposed(const tiled_csr_matrix<T>& a, const tile_cut& cut,
                               const site& where = site::current()) {
  return transpose(a, cut, where);
}

}  // namespace acre
