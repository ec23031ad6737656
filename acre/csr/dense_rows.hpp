// SPDX-License-Identifier: BSD-3-Clause
// Dense matrix of short rows, distributed as the rows of a sparse matrix; operand of spmm.
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

  dense_rows() = default;
  /// Fills all elements with `initial`. Collective. Cost: 1 allgather + B.
  /// @throws acre::error on all members for short memory, differing sizes or a mismatched `rows`
  dense_rows(const team& members, const row_cut& rows, std::size_t width, const T& initial = T{},
             const site& where = site::current())
      : rows_(rows), width_(width), elements_(members, wider(rows, width), initial, where) {}

  [[nodiscard]] const team& members() const { return elements_.members(); }
  [[nodiscard]] std::uint64_t identity() const { return elements_.identity(); }
  [[nodiscard]] const row_cut& cut() const noexcept { return rows_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_.rows(); }
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  /// Local elements, row-major.
  [[nodiscard]] std::span<T> local() { return elements_.local(); }
  [[nodiscard]] std::span<const T> local() const { return elements_.local(); }
  /// Row by its number on this member.
  [[nodiscard]] std::span<T> local_row(std::size_t row) {
    return local().subspan(row * width_, width_);
  }
  [[nodiscard]] std::span<const T> local_row(std::size_t row) const {
    return local().subspan(row * width_, width_);
  }

  [[nodiscard]] global_ptr<const T> pointer(std::size_t row) const {
    return elements_.pointer(row * width_);
  }
  /// Any element. Cost: R or W.
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
