// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/network.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace acre::topology {

network::network(std::size_t nodes, std::size_t links) : nodes_(nodes), links_(links) {
  if (nodes == 0) {
    throw error("topology::network", "the network has no nodes", "add at least 1 node");
  }
  if (nodes > std::numeric_limits<node_t>::max() || links > std::numeric_limits<link_t>::max()) {
    throw error("topology::network",
                "a network of " + std::to_string(nodes) + " nodes and " + std::to_string(links) +
                    " links is too large",
                "use at most 2^32 - 1 of each");
  }
}

double network::bandwidth(node_t from, node_t to) const {
  std::vector<link_t> crossed;
  route(from, to, crossed);
  double narrowest = std::numeric_limits<double>::infinity();
  for (const link_t link : crossed) narrowest = std::min(narrowest, bandwidth(link));
  return narrowest;
}

std::string network::bandwidths_name(std::span<const double> kinds) {
  const auto all_are = [&](double speed) {
    return std::ranges::all_of(kinds, [=](double each) { return each == speed; });
  };
  if (all_are(usual_bandwidth)) return "";
  if (all_are(kinds.front())) kinds = kinds.first(1);
  std::string text;
  for (const double each : kinds) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), each / gigabyte).ptr;
    text += (text.empty() ? "@" : ",") + std::string(digits.begin(), end);
  }
  return text;
}

std::uint32_t network::group(node_t node, unsigned) const { return node; }

std::strong_ordering network::compare_groups(node_t a, node_t b) const {
  for (unsigned level = 0; level < levels(); ++level) {
    const auto order = group(a, level) <=> group(b, level);
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

}  // namespace acre::topology
