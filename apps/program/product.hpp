// What programs multiply matrices with: BLAS, one thread a rank, where there was one when they were
// built.
#pragma once

#if ACRE_HAVE_BLAS
#include <acre/algorithm/blas.hpp>
#else
#include <acre/algorithm/plain_product.hpp>
#endif

namespace acre::program {

#if ACRE_HAVE_BLAS
using product = blas_product;
inline constexpr const char* product_name = "BLAS";
inline void one_thread_each() noexcept { blas_threads(1); }
#else
using product = plain_product;
inline constexpr const char* product_name = "plain";
inline void one_thread_each() noexcept {}
#endif

}  // namespace acre::program
