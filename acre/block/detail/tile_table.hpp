// SPDX-License-Identifier: BSD-3-Clause
// Table of a product tile's blocks, by row and column.
#pragma once

#include <acre/block/detail/tiled_factor.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace acre::block_matrices {

template <class Place>
class tile_table {
 public:
  template <class T>
  tile_table(const tiled_factor<T>& a, const tiled_factor<T>& b)
      : width_(b.tile_size()), places_(a.tile_size() * b.tile_size()) {}

  template <class T>
  void begin(const tiled_factor<T>& a, std::size_t row_tile, const tiled_factor<T>& b,
             std::size_t column_tile) {
    first_row_ = a.begin_of(row_tile);
    last_row_ = a.begin_of(row_tile + 1);
    first_column_ = b.begin_of(column_tile);
    last_column_ = b.begin_of(column_tile + 1);
    std::ranges::fill(places_, Place{});
  }

  [[nodiscard]] std::size_t first_row() const noexcept { return first_row_; }
  [[nodiscard]] std::size_t last_row() const noexcept { return last_row_; }
  [[nodiscard]] std::size_t first_column() const noexcept { return first_column_; }
  [[nodiscard]] std::size_t last_column() const noexcept { return last_column_; }
  [[nodiscard]] std::size_t blocks() const noexcept {
    return (last_row_ - first_row_) * (last_column_ - first_column_);
  }

  [[nodiscard]] Place& at(std::size_t row, std::size_t column) noexcept {
    return places_[(row - first_row_) * width_ + (column - first_column_)];
  }

 private:
  std::size_t width_;
  std::vector<Place> places_;
  std::size_t first_row_ = 0;
  std::size_t last_row_ = 0;
  std::size_t first_column_ = 0;
  std::size_t last_column_ = 0;
};

}  // namespace acre::block_matrices
