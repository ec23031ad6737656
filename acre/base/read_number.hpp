// SPDX-License-Identifier: BSD-3-Clause
// std::from_chars, which libc++ has for floating-point numbers since version 20.
#pragma once

#include <charconv>
#include <concepts>

namespace acre::base {

/// Decimal text as strtod reads it in the locale "C". Real is float, double or long double.
template <std::floating_point Real>
[[nodiscard]] std::from_chars_result read_real(const char* begin, const char* end,
                                               Real& value) noexcept;

/// As std::from_chars; before version 20 of libc++, "nan(...)" ends after "nan".
template <class Number>
[[nodiscard]] std::from_chars_result read_number(const char* begin, const char* end,
                                                 Number& value) noexcept {
  if constexpr (requires { std::from_chars(begin, end, value); }) {
    return std::from_chars(begin, end, value);
  } else {
    return read_real(begin, end, value);
  }
}

}  // namespace acre::base
