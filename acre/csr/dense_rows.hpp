// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix whose rows are cut as those of a sparse one are: what spmm reads and writes. Rows
// are as short as programs make them, tens of elements: features, right-hand sides, searches.
//
//     acre::dense_rows<float> x(a.members(), a.cut(), 32);
//     for (float& each : x.local_row(0)) each = 1;
//     float there = x(7, 3);                              // anybody's
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre {

/// Moves: local. Destruction: collective, B.
template <writable T>
class dense_rows {
 public:
  using value_type = T;

  /// No matrix: good for being assigned to.
  dense_rows() = default;
  /// All elements are `initial`. Collective. Cost: 1 allgather and B.
  /// @throws acre::error on all members when one has no room, their sizes differ, or the rows are
  /// cut for another number of members
  dense_rows(const team& members, const row_cut& rows, std::size_t width, const T& initial = T{},
             const site& where = site::current())
      : rows_(rows), width_(width), elements_(members, wider(rows, width), initial, where) {}

  [[nodiscard]] const team& members() const { return elements_.members(); }
  /// A number of this object, the same on all members. l.
  [[nodiscard]] std::uint64_t identity() const { return elements_.identity(); }
  [[nodiscard]] const row_cut& cut() const noexcept { return rows_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_.rows(); }
  /// The columns. l.
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  /// This member's elements, row by row. l.
  [[nodiscard]] std::span<T> local() { return elements_.local(); }
  [[nodiscard]] std::span<const T> local() const { return elements_.local(); }
  /// One of this member's rows by its number here. l.
  [[nodiscard]] std::span<T> local_row(std::size_t row) {
    return local().subspan(row * width_, width_);
  }
  [[nodiscard]] std::span<const T> local_row(std::size_t row) const {
    return local().subspan(row * width_, width_);
  }

  /// Where a row begins, whoever has it. l.
  [[nodiscard]] global_ptr<const T> pointer(std::size_t row) const {
    return elements_.pointer(row * width_);
  }
  /// Cost: R or W.
  [[nodiscard]] global_ref<T> operator()(std::size_t row, std::size_t column) {
    return elements_[row * width_ + column];
  }
  [[nodiscard]] global_ref<const T> operator()(std::size_t row, std::size_t column) const {
    return elements_[row * width_ + column];
  }

 private:
  static row_cut wider(const row_cut& rows, std::size_t width) {
    std::vector<std::size_t> firsts;
    for (std::size_t member = 0; member <= rows.members(); ++member) {
      firsts.push_back(rows.first_of(static_cast<rank_t>(member)) * width);
    }
    return row_cut(std::move(firsts));
  }

  row_cut rows_;
  std::size_t width_ = 0;
  dense_vector<T> elements_;
};

}  // namespace acre
