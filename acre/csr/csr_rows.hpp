// SPDX-License-Identifier: BSD-3-Clause
// Compressed sparse rows in local memory. Columns have 32 bits, as memory bandwidth bounds
// products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

using column_t = std::uint32_t;

/// @tparam T  an empty type stores no values
template <class T>
struct csr_rows {
  std::size_t first = 0;  ///< number of row 0 in the matrix
  std::size_t count = 0;
  const std::uint64_t* offsets = nullptr;  ///< count + 1 elements
  const column_t* columns = nullptr;
  const T* values = nullptr;

  [[nodiscard]] std::size_t begin_of(std::size_t row) const noexcept { return offsets[row]; }
  [[nodiscard]] std::size_t end_of(std::size_t row) const noexcept { return offsets[row + 1]; }
  /// Columns of row 0 … count - 1.
  [[nodiscard]] std::span<const column_t> columns_of(std::size_t row) const noexcept {
    return {columns + offsets[row], columns + offsets[row + 1]};
  }
  /// Value of the entry with number `place`.
  [[nodiscard]] T value(std::size_t place) const noexcept {
    if constexpr (std::is_empty_v<T>) {
      return T{};
    } else {
      return values[place];
    }
  }
  [[nodiscard]] std::size_t entries() const noexcept { return count == 0 ? 0 : offsets[count]; }
};

/// Rows to be copied into a csr_matrix.
template <class T>
struct csr_part {
  std::vector<std::uint64_t> offsets{0};
  std::vector<column_t> columns;
  std::vector<T> values;  ///< empty if T is empty

  [[nodiscard]] std::size_t rows() const noexcept { return offsets.size() - 1; }
  void end_row() { offsets.push_back(columns.size()); }
  void add(column_t column, const T& value) {
    columns.push_back(column);
    if constexpr (!std::is_empty_v<T>) values.push_back(value);
  }
};

}  // namespace acre
