// SPDX-License-Identifier: BSD-3-Clause
// Writes and parses patterns as text: cuts | mapping | memory.
//
//     "balanced, tile(32) | grid 2 x 3 | rows"
//     "tile(8), tile(8) | shifted 6 | tiles of rows"
#pragma once

#include <acre/layout/blocked.hpp>
#include <acre/layout/composed.hpp>
#include <acre/layout/cut.hpp>
#include <acre/layout/mapping.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::layout {

[[nodiscard]] std::string numbers_text(std::span<const std::size_t> numbers);
[[nodiscard]] std::string grid_text(std::span<const std::size_t> parts);
[[nodiscard]] std::string_view next_word(std::string_view& text, std::string_view between);
/// Numbers of "name(…)"; no value if malformed.
[[nodiscard]] std::optional<std::vector<std::size_t>> numbers_of(std::string_view word,
                                                                 std::string_view name);
[[nodiscard]] std::optional<std::vector<std::size_t>> parts_of_grid(std::string_view words);
[[nodiscard]] bool are_places(std::span<const std::size_t> places, std::size_t extent,
                              std::size_t parts) noexcept;

[[nodiscard]] inline std::string cut_text(const blocked_cut&) { return "blocked"; }
[[nodiscard]] inline std::string cut_text(const balanced_cut&) { return "balanced"; }
[[nodiscard]] inline std::string cut_text(const whole_cut&) { return "none"; }
template <std::size_t Size>
[[nodiscard]] std::string cut_text(const tiled_cut<Size>& cut) {
  const std::size_t size = cut.largest();
  return size == 1 ? "cyclic" : "tile(" + numbers_text({&size, 1}) + ")";
}
[[nodiscard]] inline std::string cut_text(const cut_at& cut) {
  std::vector<std::size_t> places;
  for (std::size_t block = 0; block <= cut.blocks(); ++block) places.push_back(cut.first(block));
  return "at(" + numbers_text(places) + ")";
}

template <class Cut>
[[nodiscard]] std::optional<Cut> cut_of_text(std::string_view word, std::size_t extent,
                                             std::size_t parts) {
  if constexpr (std::same_as<Cut, cut_at>) {
    const auto places = numbers_of(word, "at");
    if (!places || !are_places(*places, extent, parts)) return std::nullopt;
    return cut_at(*places);
  } else if constexpr (std::same_as<Cut, tiled_cut<>>) {
    const auto size = word == "cyclic" ? std::vector<std::size_t>{1} : numbers_of(word, "tile");
    if (!size || size->size() != 1) return std::nullopt;
    return Cut(extent, size->front());
  } else {
    const Cut made = [&] {
      if constexpr (std::constructible_from<Cut, std::size_t, std::size_t>) {
        return Cut(extent, parts);
      } else {
        return Cut(extent);
      }
    }();
    if (cut_text(made) != word) return std::nullopt;
    return made;
  }
}

template <class Mapping>
[[nodiscard]] std::string mapping_text(const Mapping& mapping) {
  if constexpr (requires { mapping.parts(); }) {
    return grid_text(mapping.parts());
  } else {
    const char* how = Mapping::is_in_turn    ? "in turn "
                      : Mapping::is_diagonal ? "shifted "
                                             : "assigned ";
    return how + std::to_string(mapping.members());
  }
}
template <class Memory>
[[nodiscard]] std::string memory_text() {
  const std::string order = std::same_as<typename Memory::order, row_major> ? "rows" : "columns";
  if (Memory::has_margins) return order + " with margins";
  return Memory::is_canonical ? order : "tiles of " + order;
}

template <cut... Cuts, class Mapping, class Memory>
[[nodiscard]] std::string pattern_text(
    const composed<partition<Cuts...>, Mapping, Memory>& pattern) {
  std::string text;
  static_cast<void>(pattern.cuts().each([&](const auto& cut, std::size_t d) {
    text += (d == 0 ? "" : ", ") + cut_text(cut);
    return d;
  }));
  return text + " | " + mapping_text(pattern.owners()) + " | " + memory_text<Memory>();
}
[[nodiscard]] inline std::string pattern_text(const blocked& pattern) {
  const std::size_t members = pattern.members();
  return "blocked | " + grid_text({&members, 1}) + " | rows";
}

/// Parses a pattern; no value if the text describes another pattern type or number of members.
template <class Pattern>
[[nodiscard]] std::optional<Pattern> pattern_of_text(
    std::string_view text, const coordinates<Pattern::dimensions>& extents, member_t members) {
  using grid_type = grid<Pattern::dimensions>;
  static_assert(std::same_as<typename Pattern::mapping_type, grid_type> &&
                    std::same_as<typename Pattern::memory_type, canonical<row_major>>,
                "only patterns of make_distribution() can be parsed from text");
  std::string_view cuts = next_word(text, " | ");
  const auto parts = parts_of_grid(next_word(text, " | "));
  if (!parts || parts->size() != Pattern::dimensions || text != "rows") return std::nullopt;
  coordinates<Pattern::dimensions> stand{};
  std::size_t product = 1;
  for (std::size_t d = 0; d < stand.size(); ++d) product *= stand[d] = (*parts)[d];
  if (product != members) return std::nullopt;

  using partition_type = typename Pattern::partition_type;
  return [&]<class... Cuts>(std::type_identity<partition<Cuts...>>) -> std::optional<Pattern> {
    std::size_t d = 0;
    // braces: evaluated in order
    const std::tuple<std::optional<Cuts>...> read{[&] {
      const std::size_t at = d++;
      return cut_of_text<Cuts>(next_word(cuts, ", "), extents[at], stand[at]);
    }()...};
    return std::apply(
        [&](const auto&... each) -> std::optional<Pattern> {
          if (!(each.has_value() && ...) || !cuts.empty()) return std::nullopt;
          const partition<Cuts...> made(*each...);
          return Pattern(made, grid_type(made.blocks(), stand));
        },
        read);
  }(std::type_identity<partition_type>());
}

}  // namespace acre::layout
