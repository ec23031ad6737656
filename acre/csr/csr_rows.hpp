// SPDX-License-Identifier: BSD-3-Clause
// Rows of a sparse matrix in plain memory, compressed: which columns have an entry, in ascending
// order, and their values; and where each row begins in both.
//
// Columns have 32 bits. Products read a column for each of their steps, so half the bytes are half
// the time where memory is what they wait for; and 2^32 columns are more than the graphs of all but
// the largest machines. Where rows begin is said with 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

using column_t = std::uint32_t;

/// Rows that lie where this rank can read them.
/// @tparam T  an empty type, as acre::present is, has no values in memory
template <class T>
struct csr_rows {
  std::size_t first = 0;  ///< the number of the first of them in the matrix
  std::size_t count = 0;
  const std::uint64_t* offsets = nullptr;  ///< count + 1 of them
  const column_t* columns = nullptr;
  const T* values = nullptr;

  [[nodiscard]] std::size_t begin_of(std::size_t row) const noexcept { return offsets[row]; }
  [[nodiscard]] std::size_t end_of(std::size_t row) const noexcept { return offsets[row + 1]; }
  /// Of a row by its number here, 0 … count - 1.
  [[nodiscard]] std::span<const column_t> columns_of(std::size_t row) const noexcept {
    return {columns + offsets[row], columns + offsets[row + 1]};
  }
  /// By the place of the entry among all here.
  [[nodiscard]] T value(std::size_t place) const noexcept {
    if constexpr (std::is_empty_v<T>) {
      return T{};
    } else {
      return values[place];
    }
  }
  [[nodiscard]] std::size_t entries() const noexcept { return count == 0 ? 0 : offsets[count]; }
};

/// Rows of one's own making: for csr_matrix, which copies them to where others reach them.
template <class T>
struct csr_part {
  std::vector<std::uint64_t> offsets{0};
  std::vector<column_t> columns;
  std::vector<T> values;  ///< none where T is empty

  [[nodiscard]] std::size_t rows() const noexcept { return offsets.size() - 1; }
  /// One more row, of nothing yet.
  void end_row() { offsets.push_back(columns.size()); }
  void add(column_t column, const T& value) {
    columns.push_back(column);
    if constexpr (!std::is_empty_v<T>) values.push_back(value);
  }
};

}  // namespace acre
