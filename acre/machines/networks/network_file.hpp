// SPDX-License-Identifier: BSD-3-Clause
// The one way in: a network from a specification, or from a file of any kind.
//
// A file is known by what it contains, not by its name:
//
// | begins with, or has                       | is read by                           |
// |-------------------------------------------|--------------------------------------|
// | {                                         | json_network.hpp                     |
// | <platform                                 | simgrid_platform.hpp                 |
// | SwitchName=, BlockName=, RingName= …      | slurm_topology.hpp                   |
// | - topology:                               | slurm_topology.hpp, topology.yaml    |
// | mesh2D, torus3D, hcub, tleaf, deco …      | scotch_target.hpp                    |
// | lines of Switch and Ca, vendid=           | ibnetdiscover.hpp                    |
// | places like c11-2c0s15n3                  | cray_placement.hpp                   |
// | places like x1000c3s7b1n0                 | slingshot_placement.hpp              |
// | words like s0.s4.node7, …TOPOLOGY_ADDR=   | slurm_topology.hpp, addresses        |
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <string>

namespace acre::machines {

/// Reads a file where there is one of that name, and else a specification like torus:8x8x6.
/// @throws acre::error that says which line is wrong, or that there is neither a file nor a
/// specification
[[nodiscard]] described_network read_network(const std::string& specification_or_path);

/// Reads a text of any of the kinds above.
/// @throws acre::error as its reader does, or because it is of no kind that is known
[[nodiscard]] described_network read_network(const source_text& file);

}  // namespace acre::machines
