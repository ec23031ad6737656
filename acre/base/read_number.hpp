// SPDX-License-Identifier: BSD-3-Clause
// std::from_chars, which libc++ has for floating-point numbers since version 20.
#pragma once

#include <charconv>
#include <concepts>

namespace acre::base {

/// Decimal text in the format of strtod, of which locales change nothing.
[[nodiscard]] std::from_chars_result read_double(const char* begin, const char* end,
                                                 double& value) noexcept;

/// As std::from_chars.
template <class Number>
[[nodiscard]] std::from_chars_result read_number(const char* begin, const char* end,
                                                 Number& value) noexcept {
  if constexpr (requires { std::from_chars(begin, end, value); }) {
    return std::from_chars(begin, end, value);
  } else {
    static_assert(std::floating_point<Number>);
    double read = 0;
    const std::from_chars_result result = read_double(begin, end, read);
    if (result.ec == std::errc()) value = static_cast<Number>(read);
    return result;
  }
}

}  // namespace acre::base
