// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's platforms of hosts and links joined by hand, and of several clusters
// and zones in zones.
//
// | element                         | means                                              |
// |---------------------------------|----------------------------------------------------|
// | host, router                    | a node; a place where messages come through        |
// | link                            | shared by both directions, unless it is SPLITDUPLEX|
// | route, zoneRoute                | links between two members of a zone, and back      |
// | zone routing="Full"             | its routes are all that there are                  |
// | zone routing="Floyd", "Dijkstra"| routes are chained, by the fewest links            |
// | zone routing="Cluster"          | host_link, cabinet and backbone: a star            |
// | cluster                         | a star with a router; TORUS and others stand alone |
//
// A FATPIPE is never busy: it is taken for a link that carries a million GB/s,
// with a warning. Zones without routes (None, Vivaldi, Wifi) may hold one member
// that others reach; latencies, profiles and loopbacks are not used.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace pugi {
class xml_node;
}

namespace acre::machines {

/// @throws acre::error that names the line: an element that is not read (peer, bypassRoute), a name
/// that is missing, unknown or comes twice, a gate outside of its zone, hosts that no route joins
[[nodiscard]] described_network read_simgrid_zones(const source_text& file,
                                                   const pugi::xml_node& platform);

/// The numbers of a cluster's hosts: radical="0-11,13".
[[nodiscard]] std::vector<std::uint32_t> simgrid_radical(const source_text& file, std::size_t line,
                                                         std::string_view text);

}  // namespace acre::machines
