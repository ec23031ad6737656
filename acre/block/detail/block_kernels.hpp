// SPDX-License-Identifier: BSD-3-Clause
// Kernels for c += a b of column-major blocks: LIBXSMM, or BLAS for larger blocks; without LIBXSMM,
// loops.
#pragma once

#include <acre/block/block_matrix.hpp>
#include <acre/layout/block_sizes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::block_matrices {

template <class T>
class block_kernel {
 public:
  block_kernel() = default;
  block_kernel(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner);

  [[nodiscard]] bool is_made() const noexcept { return rows_ != 0; }
  /// Prefetch distance in calls: small products must cover memory latency, large ones fill the
  /// cache.
  [[nodiscard]] std::uint32_t ahead() const noexcept { return ahead_; }
  void operator()(const T* a, const T* b, T* c, const T* later_a, const T* later_b) const {
    if (code_ != nullptr) [[likely]] {
      code_(a, b, c, later_a, later_b, c);
    } else {
      general(a, b, c);
    }
  }
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

template <class T>
class block_kernels {
 public:
  block_kernels(const block_sizes& rows, const block_sizes& columns, const block_sizes& inner)
      : rows_(rows),
        columns_(columns),
        inner_(inner),
        kernels_(rows.distinct().size() * columns.distinct().size() * inner.distinct().size()) {}

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
