// SPDX-License-Identifier: BSD-3-Clause
// Parser of a text that is a single number.
#pragma once

#include <acre/base/read_number.hpp>

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace acre::base {

/// Parses as std::from_chars; null if other characters follow or the value is out of range.
template <class Number>
  requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, int radix = 10) noexcept {
  Number number{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::from_chars_result read{};
  if constexpr (std::integral<Number>) {
    read = std::from_chars(begin, end, number, radix);
  } else {
    read = read_number(begin, end, number);
  }
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

/// Removes the sign that std::from_chars refuses.
[[nodiscard]] constexpr std::string_view without_plus(std::string_view number) noexcept {
  const bool has_plus = number.starts_with('+') && !number.starts_with("+-");
  return has_plus ? number.substr(1) : number;
}

}  // namespace acre::base
