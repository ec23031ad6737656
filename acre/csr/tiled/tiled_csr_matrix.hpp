// SPDX-License-Identifier: BSD-3-Clause
// Distributed sparse matrix, one tile per member of a grid: a member's product involves one grid
// row and one column, 1 / sqrt(members) of a matrix each.
//
// Stored as a csr_matrix of stacked tiles, with columns relative to the tile; a tile has at most
// 2^32 - 1 columns.
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

/// A tile: in place if mapped, else a copy.
template <class T>
struct csr_tile {
  csr_rows<T> rows;              ///< columns relative to first_column
  std::size_t first_column = 0;  ///< global

  struct copies {
    std::unique_ptr<std::uint64_t[]> offsets;
    std::unique_ptr<column_t[]> columns;
    std::unique_ptr<T[]> values;
  };
  copies copied;
};

/// Moves: local. Destruction: collective, B; after spmv, spmm or reduce_rows another B.
template <class T>
class tiled_csr_matrix {
 public:
  using value_type = T;
  static constexpr bool has_values = csr_matrix<T>::has_values;

  tiled_csr_matrix() = default;
  /// Copies this member's tile, with columns relative to the tile. Collective. Cost: 2 allgathers
  /// and 2 allreduces.
  /// @throws acre::error on all members for a mismatched grid, malformed tile or short memory
  tiled_csr_matrix(const team& members, const tile_cut& cut, const csr_part<T>& mine,
                   const site& where = site::current())
      : cut_(fitting(cut, members.size(), where)),
        stacked_(members, cut.stacked(), cut.widest(), mine, where) {}
  /// Adopts stacked tiles. Local. @throws acre::error for mismatched rows or columns
  tiled_csr_matrix(const tile_cut& cut, csr_matrix<T>&& stacked,
                   const site& where = site::current())
      : cut_(fitting(cut, stacked.members().size(), where)), stacked_(std::move(stacked)) {
    csr::check_same_cut("tiled_csr_matrix", "the stack of tiles", stacked_.cut(), cut.stacked(),
                        where);
    csr::check_equal("tiled_csr_matrix", "the columns of the stack", stacked_.columns(),
                     "the columns of the widest tile", cut.widest(), where);
  }

  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(stacked_); }
  [[nodiscard]] std::size_t rows() const noexcept { return *this ? cut_.rows().rows() : 0; }
  [[nodiscard]] std::size_t columns() const noexcept { return *this ? cut_.columns().rows() : 0; }
  /// Number of entries of all members.
  [[nodiscard]] std::size_t entries() const noexcept { return stacked_.entries(); }
  [[nodiscard]] const team& members() const { return stacked_.members(); }
  [[nodiscard]] std::uint64_t identity() const { return stacked_.identity(); }
  [[nodiscard]] const member_grid& grid() const noexcept { return cut_.grid(); }
  [[nodiscard]] const tile_cut& cut() const noexcept { return cut_; }

  /// Value of an entry, if present. Cost: as csr_matrix::get.
  /// @throws acre::error for an invalid row or column
  [[nodiscard]] std::optional<T> get(std::size_t row, std::size_t column,
                                     const site& where = site::current()) const {
    if (row >= rows() || column >= columns()) {
      csr::throw_no_place("tiled_csr_matrix::get", row, column, rows(), columns(), where);
    }
    const rank_t owner = cut_.owner(row, column);
    return stacked_.get(cut_.stacked_row(owner, row), column - cut_.first_column_of(owner), where);
  }

  /// This member's tile, with columns relative to first_local_column().
  [[nodiscard]] csr_rows<T> local() const { return near_tile(members().rank()); }
  [[nodiscard]] std::size_t local_rows() const { return stacked_.local_rows(); }
  [[nodiscard]] std::size_t first_local_row() const { return cut_.first_row_of(members().rank()); }
  [[nodiscard]] std::size_t first_local_column() const {
    return cut_.first_column_of(members().rank());
  }
  [[nodiscard]] std::size_t local_entries() const { return stacked_.local_entries(); }
  [[nodiscard]] std::span<T> local_values(std::size_t row)
    requires(!std::is_empty_v<T>)
  {
    return stacked_.local_values(row);
  }

  /// Any member's tile. Cost: 3 concurrent R; l if mapped.
  [[nodiscard]] csr_tile<T> tile(rank_t member, const site& where = site::current()) const {
    csr_tile<T> read = tile_nbi(member, where);
    quiet();
    return read;
  }
  /// As tile(); the copy of an unmapped tile is complete after quiet().
  [[nodiscard]] csr_tile<T> tile_nbi(rank_t member, const site& where = site::current()) const {
    csr_tile<T> read{near_tile(member), cut_.first_column_of(member), {}};
    if (read.rows.offsets != nullptr) return read;
    const global::quiet_on_failure reads_end;
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
  /// A member's tile; null if not mapped.
  [[nodiscard]] csr_rows<T> near_tile(rank_t member) const {
    csr_rows<T> rows = stacked_.near_rows(member);
    rows.first = cut_.first_row_of(member);
    return rows;
  }
  /// All tiles stacked in member order, with tile-local columns.
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
  mutable std::unique_ptr<csr::tile_sums> sums_;
};

namespace csr {
struct tiled_access {
  /// Workspace of at least `row_bytes` per tile row. Collective. Cost: 1 allgather if it
  /// grows, and B if it existed.
  /// @throws acre::error on all members for short memory
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
