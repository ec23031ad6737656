// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix spread over the ranks of a team in tiles: compressed rows of a run of columns.
//
//     acre::tiled_csr_builder<double> triples(acre::world(), rows, columns);    // by any rank
//     const auto t = acre::tiled(a);                                // of a matrix cut by rows
//     const auto c = acre::spgemm<acre::semirings::plus_times<double>>(t, t);
//     const auto again = acre::by_rows(c);
//
// Members stand in a grid (tile_cut.hpp). What meets in a product are then members of one row and
// of one column of the grid: spmv reads the elements of x of a column of the grid, and spgemm a row
// of tiles and a column of them, each a share 1 / sqrt(members) of a matrix, where a matrix cut by
// rows may need all of it.
//
// Nothing of a csr_matrix is repeated: all tiles one below the other, with the columns of each
// counted from its first, are a csr_matrix of as many rows as the tiles have, and that is all there
// is. So each tile has 2^32 columns at most, the matrix more.
//
// Source: Buluç, Gilbert: Parallel sparse matrix-matrix multiplication and indexing: implementation
// and experiments, SIAM Journal on Scientific Computing, 2012.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/csr/detail/sorted_rows.hpp>
#include <acre/csr/tiled/detail/tile_sums.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/completion.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

namespace csr {
struct tiled_access;
}  // namespace csr

/// A tile as plain memory: in place where this rank can read it, else a copy.
template <class T>
struct csr_tile {
  csr_rows<T> rows;              ///< their columns are counted from first_column
  std::size_t first_column = 0;  ///< its number in the matrix

  struct copies {
    std::unique_ptr<std::uint64_t[]> offsets;
    std::unique_ptr<column_t[]> columns;
    std::unique_ptr<T[]> values;
  };
  copies copied;  ///< what `rows` shows of another node; nothing in place
};

/// Moves: local. Destruction: collective, B, and one more after a spmv, spmm or reduce_rows.
template <class T>
class tiled_csr_matrix {
 public:
  using value_type = T;
  static constexpr bool has_values = csr_matrix<T>::has_values;

  /// No matrix: good for being assigned to.
  tiled_csr_matrix() = default;
  /// Of this member's tile, its columns counted from the first one of it. Collective. Cost: 3
  /// allgathers and 1 allreduce.
  /// @throws acre::error on all members when the grid has not as many members as the team, one's
  /// tile is none, or it has no room
  tiled_csr_matrix(const team& members, const tile_cut& cut, const csr_part<T>& mine,
                   const site& where = site::current())
      : cut_(fitting(cut, members.size(), where)),
        stacked_(members, cut.stacked(), cut.widest(), mine, where) {}
  /// Of tiles that lie one below the other. Local.
  /// @throws acre::error when their rows are not cut as cut.stacked(), or not of its widest tile
  tiled_csr_matrix(const tile_cut& cut, csr_matrix<T>&& stacked,
                   const site& where = site::current())
      : cut_(fitting(cut, stacked.members().size(), where)), stacked_(std::move(stacked)) {
    csr::check_same_cut("tiled_csr_matrix", "the stack of tiles", stacked_.cut(), cut.stacked(),
                        where);
    csr::check_equal("tiled_csr_matrix", "the columns of the stack", stacked_.columns(),
                     "those of the widest tile", cut.widest(), where);
  }

  // --- all of it --------------------------------------------------------------------------

  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(stacked_); }
  [[nodiscard]] std::size_t rows() const noexcept { return *this ? cut_.rows().rows() : 0; }
  [[nodiscard]] std::size_t columns() const noexcept { return *this ? cut_.columns().rows() : 0; }
  /// How many there are, of all members. l.
  [[nodiscard]] std::size_t entries() const noexcept { return stacked_.entries(); }
  [[nodiscard]] const team& members() const { return stacked_.members(); }
  /// A number of this object, the same on all members. l.
  [[nodiscard]] std::uint64_t identity() const { return stacked_.identity(); }
  [[nodiscard]] const member_grid& grid() const noexcept { return cut_.grid(); }
  /// Which rows and columns are whose. l.
  [[nodiscard]] const tile_cut& cut() const noexcept { return cut_; }

  /// Cost: as csr_matrix::get: 3 R; l where its tile is mapped here.
  /// @throws acre::error when the matrix has no such row or column
  [[nodiscard]] std::optional<T> get(std::size_t row, std::size_t column,
                                     const site& where = site::current()) const {
    if (row >= rows() || column >= columns()) {
      csr::throw_no_place("tiled_csr_matrix::get", row, column, rows(), columns(), where);
    }
    const rank_t owner = cut_.owner(row, column);
    return stacked_.get(cut_.stacked_row(owner, row), column - cut_.first_column_of(owner), where);
  }

  // --- tiles ------------------------------------------------------------------------------

  /// This member's, as plain memory; its columns are counted from first_local_column(). l.
  [[nodiscard]] csr_rows<T> local() const { return near_tile(members().rank()); }
  [[nodiscard]] std::size_t local_rows() const { return stacked_.local_rows(); }
  [[nodiscard]] std::size_t first_local_row() const { return cut_.first_row_of(members().rank()); }
  [[nodiscard]] std::size_t first_local_column() const {
    return cut_.first_column_of(members().rank());
  }
  [[nodiscard]] std::size_t local_entries() const { return stacked_.local_entries(); }
  /// Of one of its rows by its number here; they may be changed. l.
  [[nodiscard]] std::span<T> local_values(std::size_t row)
    requires(!std::is_empty_v<T>)
  {
    return stacked_.local_values(row);
  }

  /// Anybody's. Cost: 3 R at once, of all of it; l where it is mapped here.
  [[nodiscard]] csr_tile<T> tile(rank_t member, const site& where = site::current()) const {
    csr_tile<T> read = tile_nbi(member, where);
    quiet();
    return read;
  }
  /// The same; a copy is there after quiet().
  [[nodiscard]] csr_tile<T> tile_nbi(rank_t member, const site& where = site::current()) const {
    csr_tile<T> read{near_tile(member), cut_.first_column_of(member), {}};
    if (read.rows.offsets != nullptr) return read;
    const global::quiet_on_failure reads_end;  // ends them where there is no room for all
    read.rows.first = cut_.first_row_of(member);
    read.rows.count = stacked_.cut().count_of(member);
    read.rows.offsets =
        start_copy(read.copied.offsets, stacked_.offsets_of(member), read.rows.count + 1, where);
    const std::size_t entries = stacked_.entries_of(member);
    read.rows.columns =
        start_copy(read.copied.columns, stacked_.columns_of(member), entries, where);
    if constexpr (has_values) {
      read.rows.values = start_copy(read.copied.values, stacked_.values_of(member), entries, where);
    }
    return read;
  }
  /// A member's where this rank can read it, else none. l.
  [[nodiscard]] csr_rows<T> near_tile(rank_t member) const {
    csr_rows<T> rows = stacked_.near_rows(member);
    rows.first = cut_.first_row_of(member);
    return rows;
  }
  /// All tiles one below the other, in the order of members, with the columns of each counted from
  /// its first: what products are made of. l.
  [[nodiscard]] const csr_matrix<T>& stacked() const noexcept { return stacked_; }

 private:
  friend struct csr::tiled_access;

  static const tile_cut& fitting(const tile_cut& cut, rank_t members, const site& where) {
    csr::check_grid("tiled_csr_matrix", cut.grid(), members, where);
    return cut;
  }

  template <class E>
  static const E* start_copy(std::unique_ptr<E[]>& into, global_ptr<const E> from,
                             std::size_t count, const site& where) {
    into = std::make_unique_for_overwrite<E[]>(count);
    get_nbi(from, std::span<E>(into.get(), count), where);
    return into.get();
  }

  tile_cut cut_;
  csr_matrix<T> stacked_;
  /// Where spmv, spmm and reduce_rows leave the sums of tiles: made by the first one.
  mutable std::unique_ptr<csr::tile_sums> sums_;
};

namespace csr {
struct tiled_access {
  /// Room for so many bytes for each row of each tile. Collective where there is not as much yet.
  /// Cost: 1 allgather then, and B where there is less. @throws acre::error on all members when one
  /// has no room
  template <class T>
  static tile_sums& sums(const tiled_csr_matrix<T>& of, std::size_t row_bytes, const char* call,
                         const site& where) {
    if (of.sums_ == nullptr || of.sums_->row_bytes() < row_bytes) {
      of.sums_.reset();
      of.sums_ =
          std::make_unique<tile_sums>(of.members(), of.cut().stacked(), row_bytes, call, where);
    }
    return *of.sums_;
  }
};
}  // namespace csr

}  // namespace acre
