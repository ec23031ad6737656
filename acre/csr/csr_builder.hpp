// SPDX-License-Identifier: BSD-3-Clause
// Builds a sparse matrix, once, from entries that any rank adds in any order. They are sent to
// their row's owner in batches (container/distributor.hpp).
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/distributor.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/csr/detail/sorted_rows.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace acre {

template <class T>
class csr_builder {
  using triple = csr::triple<T>;

 public:
  /// Collective. Cost: 1 allgather, 1 allreduce.
  /// @throws acre::error on all members for a mismatched `rows`, `columns` of 2^32 or more, or
  /// short memory
  csr_builder(const team& members, const row_cut& rows, std::size_t columns,
              const site& where = site::current())
      : rows_(fitting(members, rows, columns, where)),
        columns_(columns),
        out_(members, default_memory, where),
        where_(where) {}
  csr_builder(const team& members, std::size_t rows, std::size_t columns,
              const site& where = site::current())
      : csr_builder(members, row_cut::equal(rows, members.size()), columns, where) {}

  /// Adds an entry. Cost: l, and 1 M per batch. @throws acre::error for an invalid row or column
  void add(std::size_t row, std::size_t column, const T& value = T{}) {
    if (row >= rows_.rows() || column >= columns_) [[unlikely]] {
      csr::throw_no_place("csr_builder::add", row, column, rows_.rows(), columns_, where_);
    }
    const rank_t owner = rows_.owner(row);
    const triple one{row - rows_.first_of(owner), static_cast<column_t>(column), value};
    if (owner == out_.members().rank()) {
      mine_.push_back(one);
    } else {
      out_.push(owner, one);
      if (++pushed_ % look_after == 0) out_.receive(taking());
    }
  }

  /// Returns the matrix; rule(a, b) combines entries in equal places, in unspecified order.
  /// Collective. Cost: 1 allreduce, distributor::finish and csr_matrix.
  template <class Rule>
  [[nodiscard]] csr_matrix<T> finish(Rule rule, const site& where = site::current()) {
    csr_part<T> part;
    global::succeed_together(
        out_.members(), "csr_builder::finish", where,
        [&] {
          out_.finish(taking(), where);
          part = csr::sorted_rows(std::exchange(mine_, {}), rows_.count_of(out_.members().rank()),
                                  rule);
        },
        "sorting its entries");
    return csr_matrix<T>(out_.members(), rows_, columns_, part, where);
  }
  /// @throws acre::error on all members for entries in equal places
  [[nodiscard]] csr_matrix<T> finish(const site& where = site::current()) {
    const std::size_t first = rows_.first_of(out_.members().rank());
    return finish(csr::refuse_equal{where, first}, where);
  }

 private:
  static constexpr std::size_t default_memory = std::size_t{4} << 20;
  static constexpr std::size_t look_after = 4096;

  static const row_cut& fitting(const team& members, const row_cut& rows, std::size_t columns,
                                const site& where) {
    csr::check_members("csr_builder", rows, members.size(), where);
    csr::check_columns("csr_builder", columns, where);
    return rows;
  }

  auto taking() {
    return [this](const triple& one) { mine_.push_back(one); };
  }

  row_cut rows_;
  std::size_t columns_;
  distributor<triple> out_;
  std::vector<triple> mine_;
  std::size_t pushed_ = 0;
  site where_;
};

}  // namespace acre
