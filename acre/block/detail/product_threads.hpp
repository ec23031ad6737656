// SPDX-License-Identifier: BSD-3-Clause
// Threads of a rank in a block product: as set for OpenMP, else one per core of the rank.
#pragma once

namespace acre::block_matrices {

class product_threads {
 public:
  /// @param wanted  exact number; 0: as set for OpenMP, fewer for small products
  explicit product_threads(unsigned wanted);

  [[nodiscard]] unsigned most() const noexcept { return most_; }
  /// At least one.
  [[nodiscard]] unsigned worth(double operations) const noexcept;

 private:
  unsigned most_;
  bool is_exact_;
};

/// While it exists, each call of OpenBLAS uses one thread: several would change the bits, and other
/// threads of the product call it too.
class one_blas_thread_each {
 public:
  one_blas_thread_each();
  ~one_blas_thread_each();
  one_blas_thread_each(const one_blas_thread_each&) = delete;
  one_blas_thread_each& operator=(const one_blas_thread_each&) = delete;
};

}  // namespace acre::block_matrices
