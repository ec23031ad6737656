// SPDX-License-Identifier: BSD-3-Clause
// Distributed sparse matrix: compressed rows, a contiguous run per member. Columns ascend; the
// sparsity pattern is immutable, owners may change values. Data resides in the segments.
// csr_matrix<acre::present> has no values.
#pragma once

#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace csr {
struct csr_access;
struct rows_of_a_builder {
  template <std::integral Rows>
  rows_of_a_builder(Rows) = delete;  // csr_builder<T>(team, rows, columns) makes a csr_matrix<T>
};
}  // namespace csr

/// Moves: local. Destruction: collective, B.
template <class T>
class csr_matrix {
  static_assert(transferable<T> && !std::is_const_v<T>,
                "ranks read the values of a csr_matrix<T> as bytes: T must be trivially copyable, "
                "and not a pointer");

 public:
  using value_type = T;
  static constexpr bool has_values = !std::is_empty_v<T>;

  /// Uninitialised memory for a member's rows: row count + 1 offsets, `entries` columns and values.
  struct room {
    std::span<std::uint64_t> offsets;
    std::span<column_t> columns;
    std::span<T> values;  ///< empty if T is empty
  };

  csr_matrix() = default;

  /// Copies this member's rows. Collective. Cost: 2 allgathers + 2 allreduces.
  /// @throws acre::error on all members for malformed rows, short memory or differing shapes
  csr_matrix(const team& members, const row_cut& rows, std::size_t columns, const csr_part<T>& mine,
             const site& where = site::current())
      : csr_matrix(
            members, rows, columns, checked(members, rows, columns, mine, where),
            [&mine](const room& made) {
              base::move_elements(made.offsets.data(), std::span(mine.offsets));
              base::move_elements(made.columns.data(), std::span(mine.columns));
              for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] = mine.values[i];
            },
            where) {}
  /// fill(room) writes this member's rows, unchecked. Collective. Cost: 2 allgathers and 1
  /// allreduce.
  /// @throws the exception of `fill`; acre::error on other members
  template <std::invocable<const room&> Fill>
  csr_matrix(const team& members, const row_cut& rows, std::size_t columns, std::size_t entries,
             Fill&& fill, const site& where = site::current())
      : all_(base::make_unique_object<csr::csr_storage>(members, shape_of(rows, columns), entries,
                                                        where)) {
    global::succeed_together(
        members, "csr_matrix", where, [&] { fill(own_room()); }, "the function that fills it");
  }

  csr_matrix(const team&, csr::rows_of_a_builder, std::size_t);
  const T* begin() const = delete;  // loop over rows: a.local_columns(i), a.local_values(i)
  const T* end() const;

  [[nodiscard]] explicit operator bool() const noexcept { return all_ != nullptr; }
  [[nodiscard]] std::size_t rows() const noexcept { return all_ ? all_->rows().rows() : 0; }
  [[nodiscard]] std::size_t columns() const noexcept { return all_ ? all_->columns() : 0; }
  /// Number of entries of all members.
  [[nodiscard]] std::size_t entries() const noexcept { return all_ ? all_->entries() : 0; }
  [[nodiscard]] const team& members() const { return held().members(); }
  [[nodiscard]] std::uint64_t identity() const { return held().identity(); }
  [[nodiscard]] const row_cut& cut() const { return held().rows(); }

  /// Value of an entry, if present. Cost: 3 R, 2 without values; l if mapped.
  /// @throws acre::error for an invalid row or column
  [[nodiscard]] std::optional<T> get(std::size_t row, std::size_t column,
                                     const site& where = site::current()) const {
    check(row, column, "csr_matrix::get", where);
    const rank_t owner = cut().owner(row);
    if (const auto rows = near_rows(owner); rows.offsets != nullptr) {
      const auto place = csr::find_column(rows.columns_of(row - rows.first), column);
      if (!place) return std::nullopt;
      return rows.value(rows.begin_of(row - rows.first) + *place);
    }
    const csr_part<T> read = row_of(row, where);
    const auto place = csr::find_column(read.columns, column);
    if (!place) return std::nullopt;
    if constexpr (has_values) {
      return read.values[*place];
    } else {
      return T{};
    }
  }

  /// Copy of any row. Cost: as get(). @throws acre::error for an invalid row
  [[nodiscard]] csr_part<T> row(std::size_t row, const site& where = site::current()) const {
    if (row >= rows()) csr::throw_no_entry("csr_matrix::row", row, 0, held(), where);
    return row_of(row, where);
  }

  [[nodiscard]] csr_rows<T> local() const { return near_rows(members().rank()); }
  [[nodiscard]] std::size_t local_rows() const { return cut().count_of(members().rank()); }
  [[nodiscard]] std::size_t first_local_row() const { return cut().first_of(members().rank()); }
  [[nodiscard]] std::size_t local_entries() const { return held().entries_of(members().rank()); }
  /// Columns of local row 0 … local_rows() - 1.
  [[nodiscard]] std::span<const column_t> local_columns(std::size_t row) const {
    return local().columns_of(row);
  }
  [[nodiscard]] std::span<T> local_values(std::size_t row)
    requires(!std::is_empty_v<T>)
  {
    const csr_rows<T> rows = local();
    return own_room().values.subspan(rows.begin_of(row), rows.columns_of(row).size());
  }
  [[nodiscard]] std::span<const T> local_values(std::size_t row) const
    requires(!std::is_empty_v<T>)
  {
    const csr_rows<T> rows = local();
    return {rows.values + rows.begin_of(row), rows.columns_of(row).size()};
  }

  /// Rows of a member; null if not mapped. Cost: l.
  [[nodiscard]] csr_rows<T> near_rows(rank_t member) const {
    const std::byte* const block = held().direct(member);
    if (block == nullptr) return {};
    csr_rows<T> rows;
    rows.first = cut().first_of(member);
    rows.count = cut().count_of(member);
    rows.offsets = reinterpret_cast<const std::uint64_t*>(block);
    rows.columns = reinterpret_cast<const column_t*>(block + all_->columns_at(member));
    if constexpr (has_values) {
      rows.values = reinterpret_cast<const T*>(block + all_->values_at(member));
    }
    return rows;
  }
  [[nodiscard]] std::size_t entries_of(rank_t member) const { return held().entries_of(member); }
  /// True if all rows are mapped.
  [[nodiscard]] bool is_near() const { return held().is_near(); }
  /// Addresses for gets.
  [[nodiscard]] global_ptr<const std::uint64_t> offsets_of(rank_t member) const {
    return global_ptr<const std::uint64_t>::from_bits(held().bits_of(member));
  }
  [[nodiscard]] global_ptr<const column_t> columns_of(rank_t member) const {
    return global_ptr<const column_t>::from_bits(
        held().bits_of(member) + static_cast<std::uint64_t>(all_->columns_at(member)));
  }
  [[nodiscard]] global_ptr<const T> values_of(rank_t member) const
    requires(!std::is_empty_v<T>)
  {
    return global_ptr<const T>::from_bits(held().bits_of(member) +
                                          static_cast<std::uint64_t>(all_->values_at(member)));
  }

 private:
  friend struct csr::csr_access;

  csr_matrix(const team& members, const row_cut& rows, std::size_t columns,
             csr::csr_entries entries, const site& where)
      : all_(base::make_unique_object<csr::csr_storage>(members, shape_of(rows, columns),
                                                        std::move(entries), where)) {}

  static csr::csr_storage::shape shape_of(const row_cut& rows, std::size_t columns) {
    return {rows, columns, has_values ? sizeof(T) : 0, &typeid(T)};
  }

  [[nodiscard]] const csr::csr_storage& held() const {
    return global::require_object(all_.get(), "csr_matrix", "csr_matrix", "csr_builder");
  }

  [[nodiscard]] room own_room() const {
    const rank_t me = members().rank();
    std::byte* const block = held().direct(me);
    const std::size_t entries = all_->entries_of(me);
    room own{{reinterpret_cast<std::uint64_t*>(block), local_rows() + 1},
             {reinterpret_cast<column_t*>(block + all_->columns_at(me)), entries},
             {}};
    if constexpr (has_values) {
      own.values = {reinterpret_cast<T*>(block + all_->values_at(me)), entries};
    }
    return own;
  }

  static std::size_t checked(const team& members, const row_cut& rows, std::size_t columns,
                             const csr_part<T>& mine, const site& where) {
    global::succeed_together(
        members, "csr_matrix", where,
        [&] {
          const std::size_t wanted =
              rows.members() == members.size() ? rows.count_of(members.rank()) : mine.rows();
          csr::check_part(wanted, columns, mine.offsets, mine.columns, mine.values.size(),
                          has_values, where);
        },
        "the check of its rows");
    return mine.columns.size();
  }

  void check(std::size_t row, std::size_t column, const char* call, const site& where) const {
    if (row >= rows() || column >= columns()) {
      csr::throw_no_entry(call, row, column, held(), where);
    }
  }

  [[nodiscard]] csr_part<T> row_of(std::size_t row, const site& where) const {
    const rank_t owner = cut().owner(row);
    const auto number = static_cast<std::ptrdiff_t>(row - cut().first_of(owner));
    std::uint64_t ends[2];
    acre::get(offsets_of(owner) + number, std::span(ends), where);
    const auto first = static_cast<std::ptrdiff_t>(ends[0]);
    csr_part<T> read;
    read.columns.resize(ends[1] - ends[0]);
    read.end_row();
    acre::get(columns_of(owner) + first, std::span(read.columns), where);
    if constexpr (has_values) {
      const base::plain_buffer<T> values(read.columns.size());
      acre::get(values_of(owner) + first, values.span(), where);
      read.values.assign(values.data(), values.data() + values.size());
    }
    return read;
  }

  base::unique_object<csr::csr_storage> all_;
};

using csr_graph = csr_matrix<present>;

namespace csr {
struct csr_access {
  /// Makes a matrix of existing entries, which others may read after a barrier. Collective. Cost: 2
  /// allgathers.
  template <class T>
  static csr_matrix<T> make(const team& members, const row_cut& rows, std::size_t columns,
                            csr_entries entries, std::span<const std::uint64_t> lengths,
                            const site& where) {
    csr_matrix<T> made(members, rows, columns, std::move(entries), where);
    const auto offsets = made.own_room().offsets;
    offsets[0] = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) offsets[i + 1] = offsets[i] + lengths[i];
    return made;
  }
  template <class T>
  static std::optional<column_plan>& plan(const csr_matrix<T>& of) {
    return of.held().plan();
  }
};
}  // namespace csr

}  // namespace acre
