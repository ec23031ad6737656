// SPDX-License-Identifier: BSD-3-Clause
// Product of elements without undefined overflow.
#pragma once

#include <type_traits>

namespace acre::base {

/// Small unsigned types are promoted to int, which could overflow.
template <class T>
[[nodiscard]] constexpr T times(const T& a, const T& b) {
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(1U * a * b);
  } else {
    return static_cast<T>(a * b);
  }
}

}  // namespace acre::base
