// SPDX-License-Identifier: BSD-3-Clause
// Matrices packed for kernels into pieces of at most 48 x 48 elements, column-major without gaps.
// 48 is a multiple of vector lengths and of a kernel's register columns; two pieces of doubles take
// 36 KiB, about the first-level cache.
#pragma once

#include <algorithm>
#include <cstddef>

namespace acre::algorithm {

class piece_cut {
 public:
  static constexpr std::size_t side = 48;

  explicit piece_cut(std::size_t extent) noexcept : extent_(extent) {}

  [[nodiscard]] std::size_t extent() const noexcept { return extent_; }
  [[nodiscard]] std::size_t count() const noexcept { return (extent_ + side - 1) / side; }
  [[nodiscard]] std::size_t begin_of(std::size_t piece) const noexcept {
    return std::min(piece * side, extent_);
  }
  [[nodiscard]] std::size_t size_of(std::size_t piece) const noexcept {
    return begin_of(piece + 1) - begin_of(piece);
  }

 private:
  std::size_t extent_;
};

class piece_run {
 public:
  piece_run(const piece_cut& cut, std::size_t first, std::size_t last) noexcept
      : cut_(cut), first_(first), last_(last) {}
  explicit piece_run(const piece_cut& cut) noexcept : piece_run(cut, 0, cut.count()) {}

  [[nodiscard]] std::size_t first() const noexcept { return first_; }
  [[nodiscard]] std::size_t last() const noexcept { return last_; }
  [[nodiscard]] std::size_t size() const noexcept { return last_ - first_; }
  [[nodiscard]] std::size_t begin_of(std::size_t piece) const noexcept {
    return cut_.begin_of(piece);
  }
  [[nodiscard]] std::size_t size_of(std::size_t piece) const noexcept {
    return cut_.size_of(piece);
  }
  [[nodiscard]] std::size_t begin() const noexcept { return cut_.begin_of(first_); }
  [[nodiscard]] std::size_t end() const noexcept { return cut_.begin_of(last_); }

  template <class F>
  void each_part(std::size_t most, F&& f) const {
    for (std::size_t first = first_; first < last_; first += most) {
      f(piece_run(cut_, first, std::min(first + most, last_)));
    }
  }

 private:
  piece_cut cut_;
  std::size_t first_;
  std::size_t last_;
};

struct element_range {
  std::size_t first;
  std::size_t last;
};

enum class piece_order { by_rows, by_columns };

template <class T>
class piece_grid {
 public:
  static constexpr std::size_t piece_elements = piece_cut::side * piece_cut::side;

  piece_grid(T* memory, const piece_run& rows, const piece_run& columns, piece_order order) noexcept
      : memory_(memory),
        rows_(rows),
        columns_(columns),
        row_step_(piece_elements * (order == piece_order::by_columns ? 1 : columns.size())),
        column_step_(piece_elements * (order == piece_order::by_columns ? rows.size() : 1)) {}

  [[nodiscard]] const piece_run& rows() const noexcept { return rows_; }
  [[nodiscard]] const piece_run& columns() const noexcept { return columns_; }
  [[nodiscard]] T* memory() const noexcept { return memory_; }
  [[nodiscard]] std::size_t size() const noexcept {
    return rows_.size() * columns_.size() * piece_elements;
  }
  [[nodiscard]] T* piece(std::size_t row, std::size_t column) const noexcept {
    return memory_ + (row - rows_.first()) * row_step_ + (column - columns_.first()) * column_step_;
  }

  /// Calls f(row, column, elements, count) for each column of a piece, within the given ranges.
  /// Indices are the matrix's.
  template <class F>
  void each_segment(element_range rows, element_range columns, F&& f) const {
    const std::size_t first_row = std::max(rows.first, rows_.begin());
    const std::size_t last_row = std::min(rows.last, rows_.end());
    const std::size_t first_column = std::max(columns.first, columns_.begin());
    const std::size_t last_column = std::min(columns.last, columns_.end());
    if (first_row >= last_row) return;
    const std::size_t row_piece = first_row / piece_cut::side;
    for (std::size_t column = first_column; column < last_column; ++column) {
      const std::size_t column_piece = column / piece_cut::side;
      std::size_t row = first_row;
      for (std::size_t at = row_piece; row < last_row; ++at) {
        const std::size_t line = rows_.size_of(at);
        const std::size_t begin = at * piece_cut::side;
        const std::size_t count = std::min(begin + line, last_row) - row;
        f(row, column, piece(at, column_piece) + (column % piece_cut::side) * line + (row - begin),
          count);
        row += count;
      }
    }
  }
  template <class F>
  void each_segment(F&& f) const {
    each_segment({rows_.begin(), rows_.end()}, {columns_.begin(), columns_.end()}, f);
  }
  /// Calls f(first row, first column, elements, rows, columns) for each piece.
  template <class F>
  void each_piece(F&& f) const {
    for (std::size_t j = columns_.first(); j < columns_.last(); ++j) {
      for (std::size_t i = rows_.first(); i < rows_.last(); ++i) {
        f(rows_.begin_of(i), columns_.begin_of(j), piece(i, j), rows_.size_of(i),
          columns_.size_of(j));
      }
    }
  }

 private:
  T* memory_;
  piece_run rows_;
  piece_run columns_;
  std::size_t row_step_;
  std::size_t column_step_;
};

}  // namespace acre::algorithm
