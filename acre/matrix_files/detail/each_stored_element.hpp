// SPDX-License-Identifier: BSD-3-Clause
// Visits the elements of this member's blocks; with a symmetry, of the lower triangle only.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/block_values.hpp>

#include <cstddef>
#include <string>

namespace acre::matrix_files {

template <class T, class F>
void each_stored_element(const block_matrix<T>& matrix, F&& f) {
  const bool is_half = matrix.symmetry() != block_symmetry::none;
  matrix.each_local_block([&](std::size_t i, std::size_t j, const box_span<const T, 2>& block) {
    const std::size_t first_row = matrix.rows().begin_of(i);
    const std::size_t first_column = matrix.columns().begin_of(j);
    for (std::size_t c = 0; c < block.extent(1); ++c) {
      for (std::size_t r = 0; r < block.extent(0); ++r) {
        const T& value = block.data()[c * block.extent(0) + r];
        const std::size_t row = first_row + r;
        const std::size_t column = first_column + c;
        if (!is_half || row >= column) {
          f(row, column, value);
        } else if (i != j) {
          f(column, row, block_matrices::mirrored(value, matrix.symmetry()));
        }
      }
    }
  });
}

[[nodiscard]] inline std::string element_text(std::size_t row, std::size_t column) {
  return "the element in row " + std::to_string(row) + " and column " + std::to_string(column) +
         ", counted from 0, ";
}

/// Checks local diagonal blocks, stored whole. @throws acre::error
template <class T>
void check_diagonal(const char* call, const block_matrix<T>& matrix, const site& where) {
  if (matrix.symmetry() == block_symmetry::none) return;
  matrix.each_local_block([&](std::size_t i, std::size_t j, const box_span<const T, 2>& block) {
    const std::size_t size = block.extent(0);
    for (std::size_t e = 0; i == j && e < block.size(); ++e) {
      const std::size_t r = e % size;
      const std::size_t c = e / size;
      const T& other = block.data()[r * size + c];
      if (block.data()[e] == block_matrices::mirrored(other, matrix.symmetry())) continue;
      const std::size_t begin = matrix.rows().begin_of(i);
      throw error(call,
                  element_text(begin + r, begin + c) + "violates the symmetry of the matrix" +
                      describe_place(where),
                  "put symmetric blocks on the diagonal, or copy the matrix to one with "
                  "block_symmetry::none");
    }
  });
}

}  // namespace acre::matrix_files
