// SPDX-License-Identifier: BSD-3-Clause
// Deferred block products, with prefetching.
#pragma once

#include <acre/block/detail/block_kernels.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::block_matrices {

template <class T>
class product_stack {
 public:
  product_stack() = default;
  product_stack(const product_stack&) = delete;

  /// c += a b, by make_all() at the latest.
  void add(const block_kernel<T>& kernel, const T* a, const T* b, T* c) {
    if (count_ == most) make_all();
    entries_[count_++] = {&kernel, a, b, c};
  }
  void make_all() {
    for (std::size_t i = 0; i < count_; ++i) {
      const entry& now = entries_[i];
      const std::size_t ahead = i + now.kernel->ahead();
      const entry& later = entries_[ahead < count_ ? ahead : i];
      (*now.kernel)(now.a, now.b, now.c, later.a, later.b);
      operations_ += now.kernel->operations();
    }
    products_ += count_;
    count_ = 0;
  }

  [[nodiscard]] std::uint64_t products() const noexcept { return products_; }
  [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

 private:
  struct entry {
    const block_kernel<T>* kernel;
    const T* a;
    const T* b;
    T* c;
  };
  static constexpr std::size_t most = 512;  ///< 16 KiB

  std::array<entry, most> entries_;
  std::size_t count_ = 0;
  std::uint64_t products_ = 0;
  std::uint64_t operations_ = 0;
};

}  // namespace acre::block_matrices
