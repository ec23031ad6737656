// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/pattern_text.hpp>

#include <acre/base/parse_number.hpp>

#include <algorithm>

namespace acre::layout {
namespace {

std::optional<std::vector<std::size_t>> numbers_between(std::string_view text,
                                                        std::string_view between) {
  std::vector<std::size_t> numbers;
  while (!text.empty()) {
    const std::string_view word = next_word(text, between);
    const auto number = base::parse_number<std::size_t>(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::string joined(std::span<const std::size_t> numbers, std::string_view between) {
  std::string text;
  for (const std::size_t each : numbers) {
    if (!text.empty()) text += between;
    text += std::to_string(each);
  }
  return text;
}

}  // namespace

std::string numbers_text(std::span<const std::size_t> numbers) { return joined(numbers, " "); }
std::string grid_text(std::span<const std::size_t> parts) { return "grid " + joined(parts, " x "); }

std::string_view next_word(std::string_view& text, std::string_view between) {
  const std::size_t found = text.find(between);
  const std::string_view word = text.substr(0, found);
  text = found == std::string_view::npos ? std::string_view() : text.substr(found + between.size());
  return word;
}

std::optional<std::vector<std::size_t>> numbers_of(std::string_view word, std::string_view name) {
  if (!word.starts_with(name) || !word.ends_with(')')) return std::nullopt;
  word.remove_prefix(name.size());
  word.remove_suffix(1);
  if (!word.starts_with('(')) return std::nullopt;
  return numbers_between(word.substr(1), " ");
}

std::optional<std::vector<std::size_t>> parts_of_grid(std::string_view words) {
  constexpr std::string_view name = "grid ";
  if (!words.starts_with(name)) return std::nullopt;
  return numbers_between(words.substr(name.size()), " x ");
}

bool are_places(std::span<const std::size_t> places, std::size_t extent,
                std::size_t parts) noexcept {
  return !places.empty() && places.size() - 1 <= parts && places.front() == 0 &&
         places.back() == extent && std::ranges::is_sorted(places);
}

}  // namespace acre::layout
