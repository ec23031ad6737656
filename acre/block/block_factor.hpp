// SPDX-License-Identifier: BSD-3-Clause
// Factor of a product: a block matrix, plain or transposed.
#pragma once

#include <acre/block/block_matrix.hpp>

#include <cstdint>

namespace acre {

enum class block_transposition : std::uint8_t { none, transposed, conjugate_transposed };

/// Reference to a matrix, optionally transposed.
template <block_element T>
class block_factor {
 public:
  block_factor(const block_matrix<T>& matrix) noexcept : matrix_(&matrix) {}
  block_factor(const block_matrix<T>& matrix, block_transposition how) noexcept
      : matrix_(&matrix), how_(how) {}

  [[nodiscard]] const block_matrix<T>& matrix() const noexcept { return *matrix_; }
  [[nodiscard]] block_transposition how() const noexcept { return how_; }
  [[nodiscard]] const block_sizes& rows() const {
    return how_ == block_transposition::none ? matrix_->rows() : matrix_->columns();
  }
  [[nodiscard]] const block_sizes& columns() const {
    return how_ == block_transposition::none ? matrix_->columns() : matrix_->rows();
  }

 private:
  const block_matrix<T>* matrix_;
  block_transposition how_ = block_transposition::none;
};

/// A transposed factor; products copy it.
template <class T>
[[nodiscard]] block_factor<T> transposed(const block_matrix<T>& matrix) noexcept {
  return {matrix, block_transposition::transposed};
}
template <class T>
[[nodiscard]] block_factor<T> conjugate_transposed(const block_matrix<T>& matrix) noexcept {
  return {matrix, block_transposition::conjugate_transposed};
}

}  // namespace acre
