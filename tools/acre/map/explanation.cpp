// SPDX-License-Identifier: BSD-3-Clause
#include "explanation.hpp"

#include "comparison.hpp"
#include <acre/machines/pictures/link_kinds.hpp>
#include <acre/machines/pictures/quantity.hpp>
#include <acre/mapping/inside_nodes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>
#include <vector>

namespace acre::tool {
namespace {

using machines::in_bytes;
using machines::in_percent;
using machines::in_seconds;
using mapping::candidate;

struct side {
  const candidate& found;
  std::vector<double> link_bytes;

  side(const mapping::problem& given, const candidate& of)
      : found(of), link_bytes(mapping::link_bytes(given.where, given.what.traffic, of.places)) {}
};

struct line {
  std::string name;
  std::array<double, 2> bytes{};
};

double share(double part, double all) { return all > 0 ? part / all : 0; }

double within_nodes(const mapping::metrics& found) {
  return found.bytes_by_distance.empty() ? 0 : found.bytes_by_distance.front();
}

/// Mean hops of a byte that leaves its node.
double length_of_ways(const mapping::metrics& found) {
  return share(found.hop_bytes, found.bytes_between_nodes);
}

std::string busiest(const mapping::problem& given, const side& of) {
  const topology::network& network = given.where.network;
  std::size_t most = 0;
  const auto load = [&](std::size_t link) {
    return of.link_bytes[link] / network.bandwidth(static_cast<topology::link_t>(link));
  };
  for (std::size_t link = 1; link < of.link_bytes.size(); ++link) {
    if (load(link) > load(most)) most = link;
  }
  if (of.found.measured.largest_load == 0) return "no link is used";
  return fmt::format("the busiest link is {}: {}, {} a round",
                     network.link_name(static_cast<topology::link_t>(most)),
                     in_bytes(of.link_bytes[most]), in_seconds(load(most)));
}

std::vector<std::string> drawbacks(const mapping::metrics& first, const mapping::metrics& second) {
  std::vector<std::string> worse;
  const auto compare = [&](double mapping::metrics::* measure, auto write, const char* name) {
    if (second.*measure <= first.*measure * 1.005) return;  // equal in the three digits shown
    worse.push_back(
        fmt::format("{} {} instead of {}", name, write(second.*measure), write(first.*measure)));
  };
  compare(&mapping::metrics::time, in_seconds, "time");
  if (first.blocking_time != first.time || second.blocking_time != second.time) {
    compare(&mapping::metrics::blocking_time, in_seconds, "in phases");
  }
  compare(&mapping::metrics::hop_bytes, in_bytes, "hop-bytes");
  return worse;
}

/// Words on an order that is faster in one of the two times, but was not chosen.
std::string nearly_as_good(const mapping::metrics& chosen, const mapping::metrics& other) {
  const bool is_slower = other.time > chosen.time;
  const bool is_slower_in_phases = other.blocking_time > chosen.blocking_time;
  if (!is_slower && !is_slower_in_phases) return "faster by less than a percent";
  return fmt::format("faster{}, and slower{} by less than a percent",
                     is_slower ? " in phases" : " at once", is_slower ? " at once" : " in phases");
}

/// The next order by another algorithm whose measures differ.
std::string next_best(const map_result& result) {
  const mapping::metrics& best = result.chosen.measured;
  auto next = std::ranges::find(result.all, result.chosen.name, &candidate::name);
  for (; next != result.all.end(); ++next) {
    if (next->algorithm == result.chosen.algorithm) continue;
    const auto worse = drawbacks(best, next->measured);
    if (worse.empty() && !next->measured.better_than(best)) continue;
    return fmt::format("  The next best is {}: {}.\n", next->name,
                       worse.empty() ? nearly_as_good(best, next->measured)
                                     : fmt::format("{}", fmt::join(worse, ", ")));
  }
  return {};
}

std::string reasons(const map_result& result, const mapping::metrics& before) {
  const mapping::metrics& after = result.chosen.measured;
  const double all = result.given.what.traffic.total();
  const auto evenness = [](const mapping::metrics& of) {
    return share(of.largest_load, of.mean_load);
  };
  return fmt::format(
      "  {} of the bytes stay within a node (packed: {}).\n"
      "  A byte that leaves its node crosses {:.2f} links on the average (packed: {:.2f}), and {} "
      "at most (packed: {}).\n"
      "  The busiest link has {:.1f} times the load of the mean link in use (packed: {:.1f}).\n",
      in_percent(share(within_nodes(after), all)), in_percent(share(within_nodes(before), all)),
      length_of_ways(after), length_of_ways(before), after.largest_dilation,
      before.largest_dilation, evenness(after), evenness(before));
}

std::string table(const char* title, const std::vector<line>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("\n{:<34}{:>12}{:>12}\n", title, "packed", "chosen");
  for (const line& each : lines) {
    text += fmt::format("  {:<32}{:>12}{:>12}\n", each.name, machines::in_bytes(each.bytes[0]),
                        in_bytes(each.bytes[1]));
  }
  return text;
}

std::vector<line> by_level(const mapping::problem& given, const std::array<side, 2>& sides) {
  const topology::network& network = given.where.network;
  const unsigned levels = network.levels();
  std::vector<line> lines{{.name = "within a node"}};
  std::size_t largest = 0;
  for (unsigned level = levels; level-- > 0;) {
    std::map<std::uint32_t, std::size_t> sizes;
    largest = 0;
    for (std::size_t node = 0; node < network.nodes(); ++node) {
      largest =
          std::max(largest, ++sizes[network.group(static_cast<topology::node_t>(node), level)]);
    }
    lines.push_back({.name = fmt::format("within a group of {} nodes", largest)});
  }
  lines.push_back({.name = fmt::format("between groups of {} nodes", largest)});
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const auto node_of = [&](mapping::rank_t rank) {
      return given.where.allocation.node_of(sides[s].found.places[rank]);
    };
    for (mapping::rank_t rank = 0; rank < given.what.traffic.ranks(); ++rank) {
      const topology::node_t from = node_of(rank);
      for (const auto& [peer, bytes] : given.what.traffic.from(rank)) {
        const topology::node_t to = node_of(peer);
        unsigned shared = 0;
        while (shared < levels && network.group(from, shared) == network.group(to, shared)) {
          ++shared;
        }
        lines[from == to ? 0 : 1 + levels - shared].bytes[s] += bytes;
      }
    }
  }
  return lines;
}

std::vector<line> inside_nodes(const map_result& result, const std::array<side, 2>& sides) {
  std::vector<line> lines;
  std::uint64_t cores = 1;
  for (const std::uint32_t places : std::views::reverse(result.inside)) {
    lines.push_back(
        {.name = cores == 1 ? "between cores" : fmt::format("between groups of {} cores", cores)});
    cores *= places;
  }
  for (std::size_t s = 0; s < sides.size() && !lines.empty(); ++s) {
    const auto bytes =
        mapping::bytes_inside_nodes(result.given, sides[s].found.places, result.inside);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].bytes[s] = bytes[bytes.size() - 1 - i];
    }
  }
  return lines;
}

std::vector<line> by_kind(const mapping::problem& given, const std::array<side, 2>& sides) {
  std::vector<line> lines;
  for (const machines::link_kind& kind : machines::link_kinds(given.where.network)) {
    lines.push_back({.name = fmt::format("{} ({} links)", kind.name, kind.links.size())});
    for (std::size_t s = 0; s < sides.size(); ++s) {
      for (const topology::link_t link : kind.links) {
        lines.back().bytes[s] += sides[s].link_bytes[link];
      }
    }
  }
  return lines;
}

std::string histogram(const map_result& result, const mapping::metrics& before) {
  const auto& first = before.bytes_by_distance;
  const auto& second = result.chosen.measured.bytes_by_distance;
  const double all = result.given.what.traffic.total();
  constexpr double longest = 28;
  std::string text = "\nBytes by the links they cross\n";
  text += fmt::format("  {:>4}  {:<36}{}\n", "", "packed", "chosen");
  for (std::size_t hops = 0; hops < std::max(first.size(), second.size()); ++hops) {
    std::array<std::string, 2> bars;
    for (std::size_t s = 0; s < 2; ++s) {
      const auto& bytes = s == 0 ? first : second;
      const double part = hops < bytes.size() ? share(bytes[hops], all) : 0;
      const auto length = static_cast<std::size_t>(std::ceil(part * longest));
      bars[s] = std::string(length, '#') + (length > 0 ? " " : "") + machines::in_percent(part);
    }
    text += fmt::format("  {:>4}  {:<36}{}\n", hops, bars[0], bars[1]);
  }
  return text;
}

}  // namespace

std::string explanation(const map_result& result) {
  const candidate& usual = mapping::default_order(result.all);
  const std::array<side, 2> sides{side(result.given, usual), side(result.given, result.chosen)};
  std::string text =
      fmt::format("In the default order, packed, {}.\n", busiest(result.given, sides[0]));
  if (&usual == &result.chosen) {
    text += "It is the chosen order.\n";
  } else {
    text += fmt::format("In the chosen order, {}, {}.\n", result.chosen.name,
                        busiest(result.given, sides[1]));
    const double gain = speed_up(usual.measured, result.chosen.measured);
    text += gain == 1 ? "An exchange takes as long as before. The differences:\n"
                      : fmt::format("An exchange is {} as fast. The differences:\n",
                                    machines::times(gain));
    text += reasons(result, usual.measured);
  }
  text += next_best(result);
  if (result.given.where.network.levels() > 0) {
    text += table("Bytes between ranks", by_level(result.given, sides));
  }
  text += table("Bytes inside of nodes", inside_nodes(result, sides));
  text += table("Bytes over links, by their kind", by_kind(result.given, sides));
  return text + histogram(result, usual.measured);
}

}  // namespace acre::tool
