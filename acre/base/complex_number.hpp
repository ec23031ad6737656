// SPDX-License-Identifier: BSD-3-Clause
// Which numbers are complex: told by what they have, as the header of std::complex would bring nine
// thousand lines to programs that have none.
#pragma once

#include <type_traits>

namespace acre::base {

/// Whether it has a real and an imaginary part, as std::complex.
template <class T>
inline constexpr bool is_complex = requires(const T& x) {
  typename T::value_type;
  x.real();
  x.imag();
};

/// The number whose imaginary part is the negative; of a real one, itself.
template <class T>
[[nodiscard]] constexpr T conjugate(const T& x) {
  if constexpr (is_complex<T>) {
    return T(x.real(), -x.imag());
  } else {
    return x;
  }
}

/// The type of its parts; of a real one, its own.
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
