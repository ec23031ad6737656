// SPDX-License-Identifier: BSD-3-Clause
// Reads SimGrid platforms of one cluster (others: simgrid_zones.hpp). By `topology`,
// `topo_parameters` contains:
//
// | TORUS     | 3,2,2: extents, the first fastest                |
// | FAT_TREE  | 2;4,4;1,2;1,2: levels; children; parents; cables |
// | DRAGONFLY | 3,4;3,2;5,1;2: groups, chassis, routers, each with cables; nodes |
// | FLAT      | one switch                                       |
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error with the line: invalid XML, attributes or numbers of nodes
[[nodiscard]] described_network read_simgrid_platform(const source_text& file);

}  // namespace acre::machines
