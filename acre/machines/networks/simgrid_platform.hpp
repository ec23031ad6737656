// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's platform files. Those of one cluster become the network that it names,
// all others are read by simgrid_zones.hpp:
//
//   <cluster id="c" prefix="node-" radical="0-11" suffix=".org" speed="1Gf" bw="125MBps"
//            lat="50us" topology="TORUS" topo_parameters="3,2,2"/>
//
// | topology  | topo_parameters    | means                                                |
// |-----------|--------------------|------------------------------------------------------|
// | TORUS     | 3,2,2              | extents, the first runs fastest                      |
// | FAT_TREE  | 2;4,4;1,2;1,2      | levels; children; parents; cables                    |
// | DRAGONFLY | 3,4;3,2;5,1;2      | groups, chassis, routers, each with its cables; nodes|
// | FLAT      |                    | one switch                                           |
//
// Parallel cables of a dragonfly are one link that carries as much.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error that names the line: XML that is none, a wrong attribute, numbers of
/// nodes that do not match, and what simgrid_zones.hpp names
[[nodiscard]] described_network read_simgrid_platform(const source_text& file);

}  // namespace acre::machines
