// SPDX-License-Identifier: BSD-3-Clause
// Comma-separated numbers of command lines: 0.3,0.4,0.7.
#pragma once

#include <acre/base/read_number.hpp>

#include <array>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace acre::program {

/// @param is_right  accepts each number
/// @return empty on other text
template <class Number, class Check>
[[nodiscard]] std::optional<std::vector<Number>> numbers(const std::string& text,
                                                         Check&& is_right) {
  std::vector<Number> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    Number each{};
    const auto [behind, problem] = base::read_number(at, end, each);
    if (problem != std::errc() || !is_right(each)) return {};
    found.push_back(each);
    if (behind == end) return found;
    if (*behind != ',') return {};
    at = behind + 1;
  }
}

template <class Number, class Check>
[[nodiscard]] std::optional<std::array<Number, 3>> three_numbers(const std::string& text,
                                                                 Check&& is_right) {
  const auto found = numbers<Number>(text, is_right);
  if (!found || found->size() != 3) return {};
  return std::array<Number, 3>{(*found)[0], (*found)[1], (*found)[2]};
}

}  // namespace acre::program
