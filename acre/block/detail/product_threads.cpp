// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/product_threads.hpp>

#include <acre/algorithm/threads_of_product.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>

extern "C" [[gnu::weak]] void openblas_set_num_threads(int);
extern "C" [[gnu::weak]] int openblas_get_num_threads();

namespace acre::block_matrices {

namespace {

constexpr double least_operations = 4e6;  // of a thread: some 50 us

// OpenBLAS has one number of threads for the process: the first product sets it, the last restores
// it. All under `blas_lock`.
constinit std::mutex blas_lock;
constinit unsigned products_with_blas = 0;
constinit int threads_before = 1;

}  // namespace

product_threads::product_threads(unsigned wanted)
    : most_(wanted != 0 ? wanted : algorithm::threads_or_cores(std::getenv("OMP_NUM_THREADS"))),
      is_exact_(wanted != 0) {}

unsigned product_threads::worth(double operations) const noexcept {
  if (is_exact_ || most_ == 1) return most_;
  const double threads = std::min(operations / least_operations, static_cast<double>(most_));
  return threads < 1 ? 1 : static_cast<unsigned>(threads);
}

one_blas_thread_each::one_blas_thread_each() {
  if (openblas_get_num_threads == nullptr || openblas_set_num_threads == nullptr) return;
  const std::lock_guard hold(blas_lock);
  if (products_with_blas++ != 0) return;
  threads_before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

one_blas_thread_each::~one_blas_thread_each() {
  if (openblas_get_num_threads == nullptr || openblas_set_num_threads == nullptr) return;
  const std::lock_guard hold(blas_lock);
  if (--products_with_blas == 0) openblas_set_num_threads(threads_before);
}

}  // namespace acre::block_matrices
