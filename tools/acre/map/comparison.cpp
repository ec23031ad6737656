// SPDX-License-Identifier: BSD-3-Clause
#include "comparison.hpp"

#include <acre/machines/pictures/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace acre::tool {
namespace {

using mapping::candidate;
using mapping::metrics;

struct column {
  const char* title;
  std::string (*text)(const candidate& each, const candidate& usual);
  /// Omits the column if `one` equals `other` for all candidates.
  double metrics::* one = nullptr;
  double metrics::* other = &metrics::time;
};

std::string milliseconds(std::chrono::duration<double, std::milli> time) {
  return fmt::format("{:.1f}", time.count());
}

std::string shortened(const std::string& name) {
  constexpr std::size_t most = 46;
  return name.size() <= most ? name : name.substr(0, most - 1) + "…";
}

constexpr std::array<column, 11> columns{{
    {"mapping",
     [](const candidate& each, const candidate& usual) {
       return shortened(each.name) + (&each == &usual ? " (default)" : "");
     }},
    {"time",
     [](const auto& each, const auto&) { return machines::in_seconds(each.measured.time); }},
    {"speed-up",
     [](const auto& each, const auto& usual) {
       return machines::times(speed_up(usual.measured, each.measured));
     }},
    {"in phases",
     [](const auto& each, const auto&) {
       return machines::in_seconds(each.measured.blocking_time);
     },
     &metrics::blocking_time},
    {"busiest link",
     [](const auto& each, const auto&) { return machines::in_seconds(each.measured.largest_load); },
     &metrics::largest_load},
    {"hop-bytes",
     [](const auto& each, const auto&) { return machines::in_bytes(each.measured.hop_bytes); }},
    {"cost",
     [](const auto& each, const auto&) { return fmt::format("{:.4g}", each.measured.cost); },
     &metrics::hop_bytes, &metrics::cost},
    {"mean hops", [](const auto& each,
                     const auto&) { return fmt::format("{:.2f}", each.measured.mean_hops()); }},
    {"most hops",
     [](const auto& each, const auto&) { return std::to_string(each.measured.largest_dilation); }},
    {"between nodes",
     [](const auto& each, const auto&) {
       return machines::in_bytes(each.measured.bytes_between_nodes);
     }},
    {"ms taken", [](const auto& each, const auto&) { return milliseconds(each.took); }},
}};

std::vector<column> columns_for(std::span<const candidate> found) {
  std::vector<column> shown;
  std::ranges::copy_if(columns, std::back_inserter(shown), [&](const column& which) {
    return which.one == nullptr || std::ranges::any_of(found, [&](const candidate& each) {
             const double other = each.measured.*which.other;
             return std::abs(each.measured.*which.one - other) > 1e-6 * other;
           });
  });
  return shown;
}

struct group {
  const candidate* shown;
  std::vector<std::string> same;
};

std::vector<group> groups_of(std::span<const candidate> found) {
  std::vector<group> groups;
  const candidate& usual = mapping::default_order(found);
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

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

double speed_up(const metrics& before, const metrics& after) {
  if (before.time == 0 && after.time == 0) return 1;
  return before.time / after.time;
}

std::string comparison(std::span<const candidate> found) {
  const candidate& usual = mapping::default_order(found);
  const std::vector<group> groups = groups_of(found);
  std::vector<std::string> lines(groups.size() + 1);
  for (const column& which : columns_for(found)) {
    std::vector<std::string> texts{which.title};
    for (const group& each : groups) texts.push_back(which.text(*each.shown, usual));
    const std::size_t widest = width(std::ranges::max(texts, {}, width));
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const std::string space(widest - width(texts[line]), ' ');
      lines[line] += lines[line].empty() ? texts[line] + space : "  " + space + texts[line];
    }
  }
  return fmt::format("{}\n", fmt::join(lines, "\n")) + same_orders(groups);
}

}  // namespace acre::tool
