// SPDX-License-Identifier: BSD-3-Clause
// Dispatch of a run-time size to compile-time constants.
#pragma once

#include <cstddef>
#include <type_traits>

namespace acre {

/// Calls f with an integral constant if `bytes` is in Sizes, so that copies are inlined.
template <std::size_t... Sizes, class F>
void with_constant_size(std::size_t bytes, F&& f) {
  const bool is_constant =
      ((bytes == Sizes && (f(std::integral_constant<std::size_t, Sizes>()), true)) || ...);
  if (!is_constant) f(bytes);
}

}  // namespace acre
