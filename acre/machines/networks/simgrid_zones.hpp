// SPDX-License-Identifier: BSD-3-Clause
// Reads SimGrid platforms of hosts, links and nested zones (docs/topology.md).
//
// | element                          | meaning                                       |
// |----------------------------------|-----------------------------------------------|
// | link                             | shared by both directions unless SPLITDUPLEX  |
// | route, zoneRoute                 | links between two members of a zone, and back |
// | zone routing="Full"              | only its own routes                           |
// | zone routing="Floyd", "Dijkstra" | shortest chains of routes by number of links  |
// | zone routing="Cluster", cluster  | star                                          |
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace pugi {
class xml_node;
}

namespace acre::machines {

/// @throws acre::error with the line: an unsupported element (peer, bypassRoute), a missing,
/// unknown or duplicate name, a gateway outside its zone, unconnected hosts
[[nodiscard]] described_network read_simgrid_zones(const source_text& file,
                                                   const pugi::xml_node& platform);

[[nodiscard]] std::vector<std::uint32_t> simgrid_radical(const source_text& file, std::size_t line,
                                                         std::string_view text);

}  // namespace acre::machines
