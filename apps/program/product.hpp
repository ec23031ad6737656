// SPDX-License-Identifier: BSD-3-Clause
// What programs multiply matrices with, on the cores that a rank has: kernels of LIBXSMM or a BLAS,
// where there was one when they were built.
#pragma once

#include <acre/algorithm/plain_product.hpp>

#if ACRE_HAVE_BLAS
#include <acre/algorithm/blas.hpp>
#endif
#if ACRE_HAVE_XSMM
#include <acre/algorithm/xsmm.hpp>
#endif

#include <array>
#include <string_view>

namespace acre::program {

/// The fastest one first.
#if ACRE_HAVE_XSMM
using product = xsmm_product;
inline constexpr std::array product_names{"LIBXSMM", "BLAS", "plain"};
#elif ACRE_HAVE_BLAS
using product = blas_product;
inline constexpr std::array product_names{"BLAS", "plain"};
#else
using product = plain_product;
inline constexpr std::array product_names{"plain"};
#endif

/// f(product) of the one that has one of these names.
template <class F>
auto with_product(std::string_view name, F&& f) {
#if ACRE_HAVE_BLAS
  if (name == "BLAS") return f(blas_product());
#endif
  return name == "plain" ? f(plain_product()) : f(product());
}

#if ACRE_HAVE_BLAS
inline void share_cores() noexcept { blas_threads(); }
inline const char* product_hint() noexcept { return blas_hint(); }
#else
inline void share_cores() noexcept {}
inline const char* product_hint() noexcept { return nullptr; }
#endif

}  // namespace acre::program
