// SPDX-License-Identifier: BSD-3-Clause
// Detects complex types without `<complex>` (9,000 lines).
#pragma once

#include <type_traits>

namespace acre::base {

template <class T>
inline constexpr bool is_complex = requires(const T& x) {
  typename T::value_type;
  x.real();
  x.imag();
};

template <class T>
[[nodiscard]] constexpr T conjugate(const T& x) {
  if constexpr (is_complex<T>) {
    return T(x.real(), -x.imag());
  } else {
    return x;
  }
}

/// Type of real and imaginary part; T if real.
template <class T>
struct part_of_number {
  using type = T;
};
template <class T>
  requires is_complex<T>
struct part_of_number<T> {
  using type = typename T::value_type;
};

}  // namespace acre::base
