// SPDX-License-Identifier: BSD-3-Clause
// Reads Slurm's networks: topology.conf, topology.yaml, and node addresses (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// Reads topology.conf of the tree, block or ring plugin.
/// @throws acre::error with the line: a cycle, a duplicate switch, a node in two blocks, an unknown
/// switch or attribute, more than 2^20 nodes
[[nodiscard]] described_network read_slurm_topology(const source_text& file);

/// Reads the default topology of topology.yaml: tree, block, ring or torus3d.
/// @throws acre::error as above; for several tori
[[nodiscard]] described_network read_slurm_yaml(const source_text& file);

/// Reads lines with SLURM_TOPOLOGY_ADDR, optionally after the node's name or before
/// SLURM_TOPOLOGY_ADDR_PATTERN. Repeats are ignored.
/// @throws acre::error with the line: an address without switches, a node with two addresses
[[nodiscard]] described_network read_slurm_addresses(const source_text& file);

}  // namespace acre::machines
