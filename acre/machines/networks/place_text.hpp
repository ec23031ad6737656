// SPDX-License-Identifier: BSD-3-Clause
// Parses positions in Cray machines (letters with numbers), and their nodes' names.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace acre::machines {

/// Place of the numbers after the letters of "c11-2c0s15n3"; empty if malformed.
template <class Place>
[[nodiscard]] std::optional<Place> place_of(std::string_view text,
                                            const std::array<char, 5>& letters) {
  std::array<std::uint32_t, 5> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (text.empty() || text.front() != letters[i]) return std::nullopt;
    text.remove_prefix(1);
    const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
    const auto number = as_number(digits);
    if (!number) return std::nullopt;
    numbers[i] = *number;
    text.remove_prefix(digits.size());
  }
  if (!text.empty()) return std::nullopt;
  return std::apply([](auto... each) { return Place{each...}; }, numbers);
}

/// Node name in a table line, by the first rule that applies: the word "nid…"; "nid" with a number
/// from the line; the other of two words; `place`.
/// @param digits minimum for the number in "nid00012"
[[nodiscard]] inline std::string name_beside(const std::vector<std::string_view>& words,
                                             std::string_view place, std::size_t digits) {
  for (const std::string_view word : words) {
    if (word.starts_with("nid") && word.size() <= longest_name) return std::string(word);
  }
  for (const std::string_view word : words) {
    if (const auto number = as_number(word)) {
      const std::string text = std::to_string(*number);
      return "nid" + std::string(digits - std::min(digits, text.size()), '0') + text;
    }
  }
  if (words.size() != 2) return std::string(place);
  const std::string_view other = words.front() == place ? words.back() : words.front();
  return std::string(other.substr(0, longest_name));
}

}  // namespace acre::machines
