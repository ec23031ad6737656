// What programs multiply matrices with: BLAS, on the cores that a rank has, where there was one
// when they were built.
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
inline void share_cores() noexcept { blas_threads(); }
inline const char* product_hint() noexcept { return blas_hint(); }
#else
using product = plain_product;
inline constexpr const char* product_name = "plain";
inline void share_cores() noexcept {}
inline const char* product_hint() noexcept { return nullptr; }
#endif

}  // namespace acre::program
