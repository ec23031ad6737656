// SPDX-License-Identifier: BSD-3-Clause
// Code that LIBXSMM makes for products of one shape.
#pragma once

#include <acre/base/link_target.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <libxsmm.h>
#include <string>
#include <unistd.h>

namespace acre::algorithm {

/// What LIBXSMM has products of.
template <class T>
concept xsmm_element = std::same_as<T, float> || std::same_as<T, double>;

/// c += a b of matrices by columns without gaps; of the last three arguments the first two are
/// fetched into the second cache meanwhile, as what a later call reads: such matrices may lie
/// anywhere in memory, and no processor guesses where the next one is.
template <class T>
using xsmm_code = void (*)(const T*, const T*, T*, const T*, const T*, const T*);

/// LIBXSMM opens this name to write when it starts, whatever it is: a pipe would keep it waiting
/// for ever.
[[nodiscard]] inline bool xsmm_may_start() {
  static const bool may =
      base::is_absent_or_own_file("/tmp/.libxsmm." + std::to_string(::getuid()));
  return may;
}

/// @return null where it makes none
template <class T>
[[nodiscard]] xsmm_code<T> make_xsmm_code(std::uint32_t rows, std::uint32_t columns,
                                          std::uint32_t inner) {
  if constexpr (!xsmm_element<T>) {
    return nullptr;
  } else {
    if (!xsmm_may_start()) return nullptr;
    const auto make = [&](auto* dispatch) {
      const int fetch = LIBXSMM_GEMM_PREFETCH_AL2BL2_VIA_C;
      return std::bit_cast<xsmm_code<T>>(
          dispatch(static_cast<libxsmm_blasint>(rows), static_cast<libxsmm_blasint>(columns),
                   static_cast<libxsmm_blasint>(inner), nullptr, nullptr, nullptr, nullptr, nullptr,
                   nullptr, &fetch));
    };
    if constexpr (std::same_as<T, double>) {
      return make(libxsmm_dmmdispatch);
    } else {
      return make(libxsmm_smmdispatch);
    }
  }
}

}  // namespace acre::algorithm
