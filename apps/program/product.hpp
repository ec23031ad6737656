// SPDX-License-Identifier: BSD-3-Clause
// Dense product on a rank's cores: LIBXSMM or BLAS, if built in.
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
