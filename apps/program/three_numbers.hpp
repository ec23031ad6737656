// Three numbers between commas, as command lines take points and extents: 0.3,0.4,0.7.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

namespace acre::program {

/// @param is_right  whether each of them may be
/// @return nothing when the text is anything else
template <class Number, class Check>
[[nodiscard]] std::optional<std::array<Number, 3>> three_numbers(const std::string& text,
                                                                 Check&& is_right) {
  std::array<Number, 3> found{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (Number& each : found) {
    if (&each != &found.front() && (at == end || *at++ != ',')) return {};
    const auto [behind, problem] = std::from_chars(at, end, each);
    if (problem != std::errc() || !is_right(each)) return {};
    at = behind;
  }
  return at == end ? std::optional(found) : std::nullopt;
}

}  // namespace acre::program
