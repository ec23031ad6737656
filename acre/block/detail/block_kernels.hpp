// SPDX-License-Identifier: BSD-3-Clause
// Products of small dense blocks: c += a b, all by columns, without gaps.
//
// A kernel for each shape is asked for once and called as often as there are products of it: code
// that LIBXSMM makes for the shape, where it is; else loops of our own. Large blocks go to the
// BLAS.
#pragma once

#include <acre/block/block_matrix.hpp>
#include <acre/layout/block_sizes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::block_matrices {

/// Multiplies blocks of rows x inner and inner x columns.
template <class T>
class block_kernel {
 public:
  block_kernel() = default;
  block_kernel(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner);

  [[nodiscard]] bool is_made() const noexcept { return rows_ != 0; }
  /// How many calls later something is read that should be fetched now: what a look into memory
  /// takes is many small products, and a few large blocks fill the cache.
  [[nodiscard]] std::uint32_t ahead() const noexcept { return ahead_; }
  /// @param later_a, later_b  what a later call will read, to be fetched meanwhile
  void operator()(const T* a, const T* b, T* c, const T* later_a, const T* later_b) const {
    if (code_ != nullptr) [[likely]] {
      code_(a, b, c, later_a, later_b, c);
    } else {
      general(a, b, c);
    }
  }
  /// Of one call; a product of complex numbers and its sum are eight.
  [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

 private:
  using code = void (*)(const T*, const T*, T*, const T*, const T*, const T*);

  void general(const T* a, const T* b, T* c) const;

  code code_ = nullptr;
  std::uint32_t rows_ = 0;
  std::uint32_t columns_ = 0;
  std::uint32_t inner_ = 0;
  std::uint32_t ahead_ = 1;
  std::uint64_t operations_ = 0;
};

/// Kernels for all blocks of two factors, made when they are first needed.
template <class T>
class block_kernels {
 public:
  block_kernels(const block_sizes& rows, const block_sizes& columns, const block_sizes& inner)
      : rows_(rows),
        columns_(columns),
        inner_(inner),
        kernels_(rows.distinct().size() * columns.distinct().size() * inner.distinct().size()) {}

  /// By classes of sizes (block_sizes::class_of).
  [[nodiscard]] const block_kernel<T>& of(std::uint32_t row_class, std::uint32_t column_class,
                                          std::uint32_t inner_class) {
    block_kernel<T>& found =
        kernels_[(std::size_t{inner_class} * rows_.distinct().size() + row_class) *
                     columns_.distinct().size() +
                 column_class];
    if (!found.is_made()) [[unlikely]] {
      found = block_kernel<T>(rows_.distinct()[row_class], columns_.distinct()[column_class],
                              inner_.distinct()[inner_class]);
    }
    return found;
  }

 private:
  block_sizes rows_;
  block_sizes columns_;
  block_sizes inner_;
  std::vector<block_kernel<T>> kernels_;
};

extern template class block_kernel<float>;
extern template class block_kernel<double>;
extern template class block_kernel<std::complex<float>>;
extern template class block_kernel<std::complex<double>>;

}  // namespace acre::block_matrices
