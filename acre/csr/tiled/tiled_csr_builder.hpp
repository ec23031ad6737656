// SPDX-License-Identifier: BSD-3-Clause
// Builds tiled matrices from entries, and converts from and to row distribution.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/add_entries.hpp>
#include <acre/csr/detail/sorted_rows.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <utility>

namespace acre {

template <class T>
class tiled_csr_builder {
 public:
  /// Collective. Cost: 1 allgather, 1 allreduce.
  /// @throws acre::error on all members for a mismatched grid or short memory
  tiled_csr_builder(const team& members, const tile_cut& cut, const site& where = site::current())
      : cut_(fitting(cut, members.size(), where)),
        rank_(members.rank()),
        tiles_(members, cut.stacked(), cut.widest(), where),
        where_(where) {}
  tiled_csr_builder(const team& members, std::size_t rows, std::size_t columns,
                    const site& where = site::current())
      : tiled_csr_builder(
            members,
            tile_cut::equal(rows, columns, member_grid::of(members.spec<2>(), members.size())),
            where) {}

  /// Adds an entry. Cost: l, and 1 M per batch. @throws acre::error for an invalid row or column
  void add(std::size_t row, std::size_t column, const T& value = T{}) {
    if (row >= cut_.rows().rows() || column >= cut_.columns().rows()) [[unlikely]] {
      csr::throw_no_place("tiled_csr_builder::add", row, column, cut_.rows().rows(),
                          cut_.columns().rows(), where_);
    }
    const rank_t owner = cut_.owner(row, column);
    tiles_.add(cut_.stacked_row(owner, row), column - cut_.first_column_of(owner), value);
  }

  /// Returns the matrix; rule(a, b) combines entries in equal places. Collective. Cost: as
  /// csr_builder::finish.
  template <class Rule>
  [[nodiscard]] tiled_csr_matrix<T> finish(Rule rule, const site& where = site::current()) {
    return tiled_csr_matrix<T>(cut_, tiles_.finish(std::move(rule), where), where);
  }
  /// @throws acre::error on all members for entries in equal places
  [[nodiscard]] tiled_csr_matrix<T> finish(const site& where = site::current()) {
    return finish(csr::refuse_equal{where, cut_.first_row_of(rank_), cut_.first_column_of(rank_)},
                  where);
  }

 private:
  static const tile_cut& fitting(const tile_cut& cut, rank_t members, const site& where) {
    csr::check_grid("tiled_csr_builder", cut.grid(), members, where);
    return cut;
  }

  tile_cut cut_;
  rank_t rank_;
  csr_builder<T> tiles_;
  site where_;
};

/// Converts to tiles. Collective. Cost: 1 allreduce + csr_builder.
/// @throws acre::error on all members for a mismatched shape or grid, or short memory
template <class T>
[[nodiscard]] tiled_csr_matrix<T> tiled(const csr_matrix<T>& a, const tile_cut& cut,
                                        const site& where = site::current()) {
  csr::check_equal("tiled", "the rows of the matrix", a.rows(), "the rows of the cut",
                   cut.rows().rows(), where);
  csr::check_equal("tiled", "the columns of the matrix", a.columns(), "the columns of the cut",
                   cut.columns().rows(), where);
  tiled_csr_builder<T> tiles(a.members(), cut, where);
  csr::add_entries(
      "tiled", a.members(), a.local(), where,
      [&](std::size_t row, std::size_t column, const T& value) { tiles.add(row, column, value); });
  return tiles.finish(where);
}
template <class T>
[[nodiscard]] tiled_csr_matrix<T> tiled(const csr_matrix<T>& a,
                                        const site& where = site::current()) {
  const team& members = a.members();
  return tiled(
      a, tile_cut::equal(a.rows(), a.columns(), member_grid::of(members.spec<2>(), members.size())),
      where);
}

/// Converts to row distribution. Collective. Cost: 1 allreduce + csr_builder.
/// @throws acre::error on all members for a mismatched `rows`, 2^32 or more columns, or short
/// memory
template <class T>
[[nodiscard]] csr_matrix<T> by_rows(const tiled_csr_matrix<T>& t, const row_cut& rows,
                                    const site& where = site::current()) {
  csr::check_equal("by_rows", "the rows of the matrix", t.rows(), "the rows of the cut",
                   rows.rows(), where);
  csr_builder<T> whole(t.members(), rows, t.columns(), where);
  const csr_rows<T> mine = t.local();
  const std::size_t first_column = t.first_local_column();
  csr::add_entries("by_rows", t.members(), mine, where,
                   [&](std::size_t row, std::size_t column, const T& value) {
                     whole.add(row, first_column + column, value);
                   });
  return whole.finish(where);
}
template <class T>
[[nodiscard]] csr_matrix<T> by_rows(const tiled_csr_matrix<T>& t,
                                    const site& where = site::current()) {
  return by_rows(t, row_cut::equal(t.rows(), t.members().size()), where);
}

}  // namespace acre
