// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/product_threads.hpp>

#include <acre/algorithm/threads_of_product.hpp>

#include <algorithm>
#include <cstdlib>

extern "C" [[gnu::weak]] void openblas_set_num_threads(int);
extern "C" [[gnu::weak]] int openblas_get_num_threads();

namespace acre::block_matrices {

namespace {

constexpr double least_operations = 4e6;  // of a thread: some 50 us

}  // namespace

product_threads::product_threads(unsigned wanted)
    : most_(wanted != 0 ? wanted : algorithm::threads_or_cores(std::getenv("OMP_NUM_THREADS"))),
      is_exact_(wanted != 0) {}

unsigned product_threads::worth(double operations) const noexcept {
  if (is_exact_ || most_ == 1) return most_;
  const double threads = std::min(operations / least_operations, static_cast<double>(most_));
  return threads < 1 ? 1 : static_cast<unsigned>(threads);
}

one_blas_thread_each::one_blas_thread_each() noexcept {
  if (openblas_get_num_threads == nullptr || openblas_set_num_threads == nullptr) return;
  before_ = openblas_get_num_threads();
  if (before_ > 1) openblas_set_num_threads(1);
}

one_blas_thread_each::~one_blas_thread_each() {
  if (before_ > 1) openblas_set_num_threads(before_);
}

}  // namespace acre::block_matrices
