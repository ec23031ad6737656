#include "comparison.hpp"

#include <acre/mapping/pictures/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace acre::tool {
namespace {

using mapping::candidate;
using row = std::array<std::string, 8>;

/// A name that leaves the rest of the table room.
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 46;
  return name.size() <= most ? name : name.substr(0, most - 1) + "…";
}

row row_of(const candidate& each, const candidate& usual) {
  using milliseconds = std::chrono::duration<double, std::milli>;
  const mapping::metrics& found = each.measured;
  const bool is_usual = &each == &usual;
  return {shortened(each.name) + (is_usual ? " (default)" : ""),
          mapping::in_seconds(found.largest_load),
          mapping::times(speed_up(usual.measured, found)),
          mapping::in_bytes(found.hop_bytes),
          fmt::format("{:.2f}", found.mean_dilation),
          std::to_string(found.largest_dilation),
          mapping::in_bytes(found.bytes_between_nodes),
          fmt::format("{:.1f}", milliseconds(each.took).count())};
}

/// Those that are shown, and for each the names of others that found the same order.
struct group {
  const candidate* shown;
  std::vector<std::string> same;
};

std::vector<group> groups_of(std::span<const candidate> found) {
  std::vector<group> groups;
  const candidate& usual = default_order(found);
  for (const candidate& each : found) {
    const auto known = std::ranges::find_if(
        groups, [&](const group& other) { return other.shown->places == each.places; });
    if (known == groups.end()) {
      groups.push_back({.shown = &each, .same = {}});
    } else if (&each == &usual) {
      known->same.push_back(std::exchange(known->shown, &each)->name);
    } else {
      known->same.push_back(each.name);
    }
  }
  return groups;
}

std::string same_orders(const std::vector<group>& groups) {
  std::string text;
  for (const group& each : groups) {
    if (each.same.empty()) continue;
    text += "the same order as " + shortened(each.shown->name) + ":";
    for (const std::string& name : each.same) {
      text += (&name == &each.same.front() ? " " : "; ") + shortened(name);
    }
    text += '\n';
  }
  return text;
}

/// Characters on the terminal, of which some take several bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

double speed_up(const mapping::metrics& before, const mapping::metrics& after) {
  if (before.largest_load == 0 && after.largest_load == 0) return 1;
  return before.largest_load / after.largest_load;
}

std::string comparison(std::span<const candidate> found) {
  std::vector<row> rows{{"mapping", "busiest link", "speed-up", "hop-bytes", "mean hops",
                         "most hops", "between nodes", "ms taken"}};
  const candidate& usual = default_order(found);
  const std::vector<group> groups = groups_of(found);
  for (const group& each : groups) rows.push_back(row_of(*each.shown, usual));
  std::array<std::size_t, std::tuple_size_v<row>> widths{};
  for (const row& each : rows) {
    for (std::size_t c = 0; c < each.size(); ++c) widths[c] = std::max(widths[c], width(each[c]));
  }
  std::string text;
  for (const row& each : rows) {
    for (std::size_t c = 0; c < each.size(); ++c) {
      const std::string space(widths[c] - width(each[c]), ' ');
      text += c == 0 ? each[c] + space : "  " + space + each[c];
    }
    text += '\n';
  }
  return text + same_orders(groups);
}

}  // namespace acre::tool
